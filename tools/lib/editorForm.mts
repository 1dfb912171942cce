import type { Locator, Page } from 'playwright-core';

/** The container of a field: its label row, with the input below. */
const FIELD = 'div:has(> [class*="_labelRow_"])';
const TITLE = '[class*="_title_"]';

const ENTRY = '.el-select-dropdown__item:visible';

/**
 * A form in n8n's editor: the parameters of a node, or a credential. Fields are found by the label that a person reads,
 * without the star of a required one.
 */
export class EditorForm {
	private readonly page: Page;

	constructor(
		readonly root: Locator,
		private readonly closeButton: Locator,
	) {
		this.page = root.page();
	}

	/** The visible labels, from top to bottom; those of required fields end in " *". */
	async labels(): Promise<string[]> {
		return textsOf(this.root.locator(`label ${TITLE}:visible`));
	}

	/** The visible notices: the yellow boxes between fields. */
	async notices() {
		return textsOf(this.root.locator('.notice:visible'));
	}

	field(label: string) {
		const title = this.page.locator(`> [class*="_labelRow_"] ${TITLE}`, {
			hasText: exactly(label),
		});
		return this.root.locator(`${FIELD}:visible`).filter({ has: title }).first();
	}

	/** What a text field, a number or a dropdown shows, or the text of an expression. */
	async value(label: string) {
		const field = this.field(label);
		const expression = field.locator('.cm-content');
		if ((await expression.count()) > 0) return await expression.innerText();
		return await field.locator('input, textarea').last().inputValue();
	}

	async choices(label: string) {
		await this.field(label).locator('.el-select').click();
		return await this.#entryNames();
	}

	async chosen(label: string) {
		return textsOf(this.field(label).locator('.el-tag'));
	}

	async choose(label: string, choice: string) {
		await this.field(label).locator('.el-select').click();
		await pick(this.page, choice);
	}

	async fill(label: string, text: string) {
		const input = this.field(label).locator('input, textarea').last();
		await input.fill(text);
		await input.blur();
	}

	/** Clicks into a text field, types over its content as a person does, and waits until n8n has saved that. */
	async typeInto(label: string, text: string) {
		await this.field(label).locator('input, textarea').last().click();
		await this.page.keyboard.press('ControlOrMeta+A');
		// n8n saves what is typed a little later; a person would not notice the delay.
		const saved = this.page.waitForResponse((answer) => {
			const request = answer.request();
			const isSaved = request.postData()?.includes(JSON.stringify(text)) ?? false;
			return request.method() === 'PATCH' && isSaved;
		});
		await this.page.keyboard.type(text);
		await saved;
	}

	/** A field whose value is picked from a list that a service provides, or typed. */
	locator(label: string) {
		return new ResourceLocator(this.page, this.field(label));
	}

	async toggle(label: string) {
		await this.field(label).locator('.el-switch, [role="switch"]').first().click();
	}

	/** Switches a field to an expression and writes it, without the leading "=" that it has in a workflow file. */
	async setExpression(label: string, expression: string) {
		const field = this.field(label);
		await field.locator('label').hover();
		await field.getByTestId('radio-button-expression').click();
		const editor = field.locator('.cm-content');
		// n8n may insert the previous value late, next to the new text.
		for (let tries = 0; tries < 5 && (await editor.innerText()) !== expression; tries++) {
			await editor.click();
			await this.page.keyboard.press('ControlOrMeta+A');
			// Inserted in one piece: for typed brackets, the editor would add closing ones.
			await this.page.keyboard.insertText(expression);
			// Otherwise, the preview of the expression would cover the fields below.
			await editor.blur();
		}
	}

	/** What can be added to a collection, such as "Additional Fields". */
	async additions(collection: string) {
		await this.#addTo(collection).click();
		return await this.#entryNames();
	}

	async add(collection: string, label: string) {
		await this.#addTo(collection).click();
		await pick(this.page, label);
	}

	async close() {
		await this.closeButton.click();
		await this.root.waitFor({ state: 'hidden' });
	}

	#addTo(collection: string) {
		const label = this.page.locator(`label ${TITLE}`, { hasText: exactly(collection) });
		const item = this.root.getByTestId('parameter-item').filter({ has: label });
		return item.getByTestId('collection-parameter-add').last();
	}

	/** Reads the entries of the open dropdown, and closes it. */
	async #entryNames() {
		await this.page.locator(ENTRY).first().waitFor();
		const entries = await textsOf(this.page.locator(ENTRY));
		await this.page.keyboard.press('Escape');
		await this.page.locator(ENTRY).first().waitFor({ state: 'hidden' });
		// The first line is the entry's name; a description may follow.
		return entries.map((text) => text.split('\n')[0] ?? '');
	}
}

const LISTED = '[data-test-id="rlc-item"]:visible';

class ResourceLocator {
	constructor(
		private readonly page: Page,
		private readonly field: Locator,
	) {}

	/** Switches the field from an expression to a fixed value: for an expression, n8n offers no list. */
	async fix() {
		await this.field.locator('label').hover();
		await this.field.getByTestId('radio-button-fixed').click();
	}

	async chooseMode(mode: string) {
		await this.field.getByTestId('rlc-mode-selector').click();
		await pick(this.page, mode);
	}

	async open(): Promise<string[]> {
		await this.field.getByTestId('rlc-input').click();
		return await this.#listed();
	}

	/** Types into the search of the open list, which has the focus, and waits for the results. */
	async search(text: string): Promise<string[]> {
		const found = this.page.waitForResponse((answer) => {
			const asked = answer.request().postData() ?? '';
			return asked.includes(`"filter":${JSON.stringify(text)}`);
		});
		await this.page.keyboard.type(text);
		await found;
		return await this.#listed();
	}

	async #listed() {
		await this.page.locator(LISTED).first().waitFor();
		return await textsOf(this.page.locator(LISTED));
	}

	async pick(text: string) {
		await this.page.locator(LISTED).filter({ hasText: text }).first().click();
	}

	/** Opens a list that cannot be loaded, and returns the error that it shows. */
	async error() {
		await this.field.getByTestId('rlc-input').click();
		const error = this.page.locator('[data-test-id="rlc-error-container"]:visible');
		await error.waitFor();
		return await error.innerText();
	}
}

async function pick(page: Page, choice: string) {
	const name = page.getByText(choice, { exact: true });
	await page.locator(ENTRY).filter({ has: name }).first().click();
}

async function textsOf(locator: Locator) {
	const texts = await locator.allInnerTexts();
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}

function exactly(label: string) {
	const literal = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`^\\s*${literal}\\s*\\*?\\s*$`);
}
