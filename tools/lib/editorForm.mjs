/** The container of a field: the line with its label, and below it what is filled in. */
const FIELD = 'div:has(> [class*="_labelRow_"])';
const TITLE = '[class*="_title_"]';

/** Entries of the dropdown that is open. */
const ENTRY = '.el-select-dropdown__item:visible';

/** CSS pixels that a picture shows below the last field. */
const MARGIN = 24;

/** Lets the parts of a dialog that scroll be as high as the fields in them. */
const UNROLLED = `.el-dialog, .el-dialog :has([data-test-id="node-credentials-config-container"]) {
	height: auto !important; max-height: none !important; overflow: visible !important;
}`;

/** CSS pixels that n8n keeps free, or fills with other things, above and below the fields. */
const ROOM_AROUND = 700;

/**
 * A form of n8n's editor: the parameters of a node, or a credential. Fields go by their label, as a
 * person reads it, without the star of a required one.
 */
export class EditorForm {
	/**
	 * @param {import('playwright-core').Locator} root What holds the fields.
	 * @param {import('playwright-core').Locator} frame What a picture shows, down to the last field.
	 * @param {import('playwright-core').Locator} closeButton
	 */
	constructor(root, frame, closeButton) {
		this.root = root;
		this.frame = frame;
		this.closeButton = closeButton;
		this.page = root.page();
	}

	/**
	 * The labels that can be seen, from top to bottom; those of required fields end in " *".
	 *
	 * @returns {Promise<string[]>}
	 */
	async labels() {
		return textsOf(this.root.locator(`label ${TITLE}:visible`));
	}

	/** The notices that can be seen: the yellow boxes between fields. */
	async notices() {
		return textsOf(this.root.locator('.notice:visible'));
	}

	/** @param {string} label */
	field(label) {
		const title = this.page.locator(`> [class*="_labelRow_"] ${TITLE}`, {
			hasText: exactly(label),
		});
		return this.root.locator(`${FIELD}:visible`).filter({ has: title }).first();
	}

	/**
	 * What a text, a number or a dropdown shows; the text of an expression.
	 *
	 * @param {string} label
	 */
	async value(label) {
		const field = this.field(label);
		const expression = field.locator('.cm-content');
		if ((await expression.count()) > 0) return await expression.innerText();
		return await field.locator('input, textarea').last().inputValue();
	}

	/**
	 * The names in a dropdown, in order.
	 *
	 * @param {string} label
	 */
	async choices(label) {
		await this.field(label).locator('.el-select').click();
		return await this.#entryNames();
	}

	/**
	 * The names that are chosen in a dropdown of several.
	 *
	 * @param {string} label
	 */
	async chosen(label) {
		return textsOf(this.field(label).locator('.el-tag'));
	}

	/**
	 * @param {string} label
	 * @param {string} choice A name in the dropdown.
	 */
	async choose(label, choice) {
		await this.field(label).locator('.el-select').click();
		await this.#pick(choice);
	}

	/**
	 * @param {string} label Of a text or a number.
	 * @param {string} text
	 */
	async fill(label, text) {
		const input = this.field(label).locator('input, textarea').last();
		await input.fill(text);
		await input.blur();
	}

	/**
	 * Clicks into a field and types over what is there, as a person does, until n8n has saved that.
	 *
	 * @param {string} label Of a text.
	 * @param {string} text
	 */
	async typeInto(label, text) {
		await this.field(label).locator('input, textarea').last().click();
		await this.page.keyboard.press('ControlOrMeta+A');
		// It takes what is typed a little later, which a person who moves the mouse does not notice.
		const saved = this.page.waitForResponse((answer) => {
			const request = answer.request();
			const isSaved = request.postData()?.includes(JSON.stringify(text)) ?? false;
			return request.method() === 'PATCH' && isSaved;
		});
		await this.page.keyboard.type(text);
		await saved;
	}

	/**
	 * A field whose value is picked from a list of a service, or typed.
	 *
	 * @param {string} label
	 */
	locator(label) {
		return new Locator(this.page, this.field(label));
	}

	/**
	 * Turns a switch.
	 *
	 * @param {string} label
	 */
	async toggle(label) {
		await this.field(label).locator('.el-switch, [role="switch"]').first().click();
	}

	/**
	 * Switches a field to an expression and writes it.
	 *
	 * @param {string} label
	 * @param {string} expression Without the "=" that a workflow file has before it.
	 */
	async setExpression(label, expression) {
		const field = this.field(label);
		await field.locator('label').hover();
		await field.locator('[data-test-id="radio-button-expression"]').click();
		await field.locator('.cm-content').click();
		await this.page.keyboard.press('ControlOrMeta+A');
		// In one piece: typed, brackets would be closed a second time.
		await this.page.keyboard.insertText(expression);
		// Its preview would lie over the fields below.
		await field.locator('.cm-content').blur();
	}

	/**
	 * What can be added to a collection, such as "Additional Fields".
	 *
	 * @param {string} collection Its label.
	 */
	async additions(collection) {
		await this.#addTo(collection).click();
		return await this.#entryNames();
	}

	/**
	 * Adds a field to a collection.
	 *
	 * @param {string} collection Its label.
	 * @param {string} label The field's.
	 */
	async add(collection, label) {
		await this.#addTo(collection).click();
		await this.#pick(label);
	}

	/**
	 * Takes a picture of the form with all of its fields.
	 *
	 * @param {string} file
	 */
	async takePicture(file) {
		const window = this.page.viewportSize();
		const sheet = await this.page.addStyleTag({ content: UNROLLED });
		const height = Math.ceil(
			(await this.#endOfFields()) - (await boxOf(this.root)).y + ROOM_AROUND,
		);
		if (window && height > window.height) await this.page.setViewportSize({ ...window, height });
		await this.page.screenshot({ path: file, clip: await this.box(), animations: 'disabled' });
		await sheet.evaluate((style) => /** @type {any} */ (style).remove());
		if (window) await this.page.setViewportSize(window);
	}

	/** Where it is in the window, down to its last field. */
	async box() {
		const frame = await boxOf(this.frame);
		return { ...frame, height: (await this.#endOfFields()) + MARGIN - frame.y };
	}

	/** Leaves the form. */
	async close() {
		await this.closeButton.click();
		await this.root.waitFor({ state: 'hidden' });
	}

	/** @param {string} collection */
	#addTo(collection) {
		const label = this.page.locator(`label ${TITLE}`, { hasText: exactly(collection) });
		const item = this.root.locator('[data-test-id="parameter-item"]').filter({ has: label });
		return item.locator('[data-test-id="collection-parameter-add"]').last();
	}

	/** Those of the dropdown that is open; closes it. */
	async #entryNames() {
		await this.page.locator(ENTRY).first().waitFor();
		const entries = await textsOf(this.page.locator(ENTRY));
		await this.page.keyboard.press('Escape');
		await this.page.locator(ENTRY).first().waitFor({ state: 'hidden' });
		// Below its name, an entry may have a description.
		return entries.map((text) => text.split('\n')[0] ?? '');
	}

	/** @param {string} choice */
	async #pick(choice) {
		const name = this.page.getByText(choice, { exact: true });
		await this.page.locator(ENTRY).filter({ has: name }).first().click();
	}

	/** CSS pixels from the upper end of the window to the end of the last field that can be seen. */
	async #endOfFields() {
		const fields = this.root.locator(':is(.parameter-input-list-wrapper, form) > :visible');
		return await fields.evaluateAll((elements) =>
			Math.max(0, ...elements.map((element) => element.getBoundingClientRect().bottom)),
		);
	}
}

/** Entries of the list of a resource locator that is open. */
const LISTED = '[data-test-id="rlc-item"]:visible';

/** n8n's resource locator. */
class Locator {
	/**
	 * @param {import('playwright-core').Page} page
	 * @param {import('playwright-core').Locator} field
	 */
	constructor(page, field) {
		this.page = page;
		this.field = field;
	}

	/**
	 * Lets the value be another than that of an expression: for an expression, n8n offers no list.
	 */
	async fix() {
		await this.field.locator('label').hover();
		await this.field.locator('[data-test-id="radio-button-fixed"]').click();
	}

	/** @param {string} mode As n8n calls it, such as "From list". */
	async chooseMode(mode) {
		await this.field.locator('[data-test-id="rlc-mode-selector"]').click();
		const name = this.page.getByText(mode, { exact: true });
		await this.page.locator(ENTRY).filter({ has: name }).first().click();
	}

	/**
	 * Opens the list.
	 *
	 * @returns {Promise<string[]>} What it offers.
	 */
	async open() {
		await this.field.locator('[data-test-id="rlc-input"]').click();
		await this.page.locator(LISTED).first().waitFor();
		return await textsOf(this.page.locator(LISTED));
	}

	/**
	 * Types into the search of the open list, where the cursor is, and waits for what is found.
	 *
	 * @param {string} text
	 * @returns {Promise<string[]>}
	 */
	async search(text) {
		const found = this.page.waitForResponse((answer) => {
			const asked = answer.request().postData() ?? '';
			return asked.includes(`"filter":${JSON.stringify(text)}`);
		});
		await this.page.keyboard.type(text);
		await found;
		await this.page.locator(LISTED).first().waitFor();
		return await textsOf(this.page.locator(LISTED));
	}

	/** @param {string} text Part of an entry of the open list. */
	async pick(text) {
		await this.page.locator(LISTED).filter({ hasText: text }).first().click();
	}

	/** Opens the list, and gives the text that it shows where it cannot be read. */
	async error() {
		await this.field.locator('[data-test-id="rlc-input"]').click();
		const error = this.page.locator('[data-test-id="rlc-error-container"]:visible');
		await error.waitFor();
		return await error.innerText();
	}
}

/** @param {import('playwright-core').Locator} locator */
async function textsOf(locator) {
	const texts = await locator.allInnerTexts();
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** @param {import('playwright-core').Locator} locator */
async function boxOf(locator) {
	const box = await locator.boundingBox();
	if (!box) throw new Error('There is nothing to be seen of this.');
	return box;
}

/** @param {string} label */
function exactly(label) {
	const literal = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`^\\s*${literal}\\s*\\*?\\s*$`);
}
