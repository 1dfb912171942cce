import { chromium, selectors, type Page, type Locator } from 'playwright-core';

import { EditorForm } from './editorForm.mts';
import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';
import {
	N8nClient,
	type Login,
	type SavedWorkflow,
	type WorkflowNode,
	type Workflow,
} from './n8nClient.mts';
import { n8nNode } from './workflowNodes.mts';

selectors.setTestIdAttribute('data-test-id');

const WINDOW = { width: 1280, height: 760 };

/** How long a run may take, in ms: the node does not ask for a video of family A before that can be done. */
const RUN_TIMEOUT = 120_000;

/** How long n8n may take to show something, in ms; a busy machine loads the editor slowly. */
const PAGE_TIMEOUT = 60_000;

/** In addition to those that Playwright gives a browser. */
const FLAGS = ['--disable-gpu', '--disable-quic', '--disable-sync'];

/** The trigger of a workflow that a person has only begun: without one, n8n would offer only triggers. */
const START = n8nNode('Start', 'manualTrigger', 1);

/** Names in the node search: of nodes, or of one node's actions. */
const LISTED = '[data-test-id="node-creator"] [data-test-id="node-creator-item-name"]';

/** A headless browser identifies itself as one, and n8n lets no program approve anything. */
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

export class Editor {
	private constructor(
		/** In a browser that is signed in. */
		readonly page: Page,
		readonly url: string,
		/** Signed in as the same user, to save workflows. */
		readonly client: N8nClient,
	) {}

	static async open(url: string, { email, password }: Login) {
		const client = new N8nClient(url);
		await client.logIn({ email, password });
		const browser = await launch();
		onEnd(() => browser.close());
		const page = await browser.newPage({ viewport: WINDOW, userAgent: PERSON });
		page.setDefaultTimeout(PAGE_TIMEOUT);
		// The compiler wraps each named function in `__name(...)`, which does not exist in the page.
		await page.addInitScript('globalThis.__name = (named) => named');
		await page.request.post(`${url}/rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		return new Editor(page, url, client);
	}

	/** Opens a new, empty workflow, in which n8n asks for a trigger; returns its ID. */
	async openEmptyWorkflow(): Promise<string> {
		const empty = { name: 'Empty workflow', nodes: [], connections: {} };
		const { id } = await this.client.createWorkflow(empty);
		const firstStep = this.page.getByTestId('canvas-plus-button');
		await this.#visit(`/workflow/${id}`, firstStep.first());
		return id;
	}

	/** Imports a file into a new workflow, as *Import from file* in the menu does, and saves it. */
	async importFile(file: string): Promise<SavedWorkflow> {
		const id = await this.openEmptyWorkflow();
		await this.page.setInputFiles('[data-test-id="workflow-import-input"]', file);
		await this.page.waitForSelector('[data-test-id="canvas-node"]');
		await this.page.keyboard.press('Control+s');
		return await this.client.waitForSaved(id);
	}

	/** Saves and opens a workflow with a manual trigger and the given nodes. */
	async openNodes(nodes: WorkflowNode[], connections: object = {}) {
		const workflow = await this.client.createWorkflow({
			name: `Workflow of ${nodes.length} nodes`,
			nodes: [START, ...nodes],
			connections,
		});
		const last = nodes.at(-1)?.name ?? START.name;
		await this.#visit(`/workflow/${workflow.id}`, this.#byId(workflow, last));
		return workflow;
	}

	/** Types into the node search, which the button "+" opens. In an empty workflow, it offers only triggers. */
	async searchNodes(text: string): Promise<string[]> {
		const creator = this.page.getByTestId('node-creator');
		const search = creator.getByTestId('node-creator-search-bar');
		// Opened anew, so that the list before the search is known and n8n searches all nodes. The search is cleared first,
		// because n8n ignores Escape while nothing is found.
		if (await search.isVisible()) await search.fill('');
		for (let open = await creator.isVisible(); open; open = await creator.isVisible()) {
			await this.page.keyboard.press('Escape');
		}
		await this.page.click('[data-test-id="node-creator-plus-button"]');
		await this.page.locator(LISTED).first().waitFor();
		const [offered] = await this.#listed();
		await search.fill(text);
		return await this.#listed(offered);
	}

	/** Clicks a node in the node search; returns the actions that n8n offers for it, in order. */
	async openActions(name: string): Promise<string[]> {
		await this.searchNodes(name);
		await this.#clickListed(name);
		await this.page.getByTestId('node-creator-category-item').first().waitFor();
		return await this.#listed(name);
	}

	/** Adds a node by one of its actions; its panel opens. */
	async addAction(name: string, action: string) {
		await this.openActions(name);
		await this.#clickListed(action);
		return await this.#openedPanel();
	}

	async openPanel(name: string) {
		const holder = this.page.locator('.vue-flow__node').filter({ has: this.#node(name) });
		const id = await holder.getAttribute('data-id');
		const workflow = new URL(this.page.url()).pathname.split('/')[2];
		// A double click would not work for a node outside the window.
		return await this.openPanelAt(`/workflow/${workflow}/${id}`);
	}

	async openPanelAt(path: string) {
		await this.#visit(path, this.#panel().root);
		return this.#panel();
	}

	/**
	 * The same, but as a person who follows a link: n8n is loaded anew. Its router does not always lead from one workflow
	 * to a panel of another.
	 */
	async loadPanelAt(path: string) {
		await this.page.goto(`${this.url}${path}`);
		return await this.#openedPanel();
	}

	/** What the canvas shows below a node's name. */
	async subtitle(name: string) {
		const subtitle = this.#node(name).locator('[class*="_subtitle_"]');
		return (await subtitle.allInnerTexts()).join('\n');
	}

	/** Runs the node whose panel is open, and those before it, and waits for success. */
	async executeStep() {
		await this.page.click('[data-test-id="node-execute-button"]');
		const success = this.#output().getByTestId('node-run-status-success');
		await success.waitFor({ timeout: RUN_TIMEOUT });
	}

	/** Presses *View* at the first file of the output; returns the size of the picture that appears, in pixels. */
	async viewFile(): Promise<{ width: number; height: number }> {
		// The logs below the canvas have such a button, too.
		await this.#output().getByTestId('ndv-view-binary-data').first().click();
		const picture = this.#output().locator('img[src*="binary-data"]');
		await picture.waitFor();
		return await picture.evaluate(async (element) => {
			const image = element as any;
			await image.decode();
			return { width: image.naturalWidth, height: image.naturalHeight };
		});
	}

	/** A node of this workflow: the one shown before may have had another of that name. */
	#byId({ nodes }: Workflow, name: string) {
		const id = nodes.find((node) => node.name === name)?.id;
		return this.page.locator(`.vue-flow__node[data-id="${id}"]`);
	}

	#node(name: string) {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	#output() {
		return this.page.getByTestId('output-panel');
	}

	#panel() {
		const fields = this.page.getByTestId('node-parameters');
		const close = this.page.getByTestId('ndv-close-button');
		return new EditorForm(fields, close);
	}

	async #openedPanel() {
		await this.#panel().root.waitFor();
		return this.#panel();
	}

	async #clickListed(name: string) {
		await this.page.locator(LISTED).getByText(name, { exact: true }).first().click();
	}

	/**
	 * The list of the node search, once it no longer changes: n8n fills it over several frames.
	 *
	 * @param former An entry of the previous list that the new one does not have.
	 */
	async #listed(former = '') {
		const read = async (given: { listed: string; former: string }) => {
			const window = globalThis as any;
			const items = () => [...window.document.querySelectorAll(given.listed)];
			const now = () => items().map(({ textContent }) => textContent.trim());
			let names = now();
			for (let frames = 0; frames < 3 || names.includes(given.former); ) {
				await new Promise((resolve) => window.requestAnimationFrame(resolve));
				const before = names.join();
				names = now();
				frames = names.join() === before ? frames + 1 : 0;
			}
			return names;
		};
		return await this.page.evaluate(read, { listed: LISTED, former });
	}

	/**
	 * Goes to a page of n8n, leaving the current one without saving. Loading n8n takes seconds, so that happens only
	 * once; afterwards, n8n's own router changes the page.
	 */
	async #visit(path: string, target: Locator) {
		if (!this.page.url().startsWith(this.url)) {
			await this.page.goto(`${this.url}${path}`);
			return await target.waitFor();
		}
		await this.page.evaluate((to) => {
			const { document } = globalThis as any;
			const app = document.querySelector('#app').__vue_app__;
			void app.config.globalProperties.$router.push(to);
		}, path);
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		await target.or(leave).first().waitFor();
		if (await leave.isVisible()) await leave.click();
		await target.waitFor();
	}
}

async function launch() {
	const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
	try {
		return await chromium.launch({ executablePath, args: FLAGS });
	} catch (error) {
		throw new ToolError(
			`The browser ${executablePath} could not be started. Install Chromium (Debian: "apt-get ` +
				`install chromium"), or set CHROMIUM to its program.\n\n${(error as Error).message}`,
		);
	}
}
