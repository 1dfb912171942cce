import { chromium } from 'playwright-core';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';

/** Size of the window in CSS pixels. */
const WINDOW = { width: 1280, height: 760 };

/** ms; a video of family A is not looked at before it can be done. */
const RUN_TIMEOUT = 120_000;

/** Keeps a browser quiet that nobody watches. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** n8n's editor in a browser without a window. */
export class Editor {
	/** @param {import('playwright-core').Page} page */
	constructor(page) {
		this.page = page;
	}

	/**
	 * Starts the browser and signs in.
	 *
	 * @param {string} url n8n's address.
	 * @param {import('./n8nClient.mjs').Login} login
	 */
	static async open(url, { email, password }) {
		const browser = await launch();
		onEnd(() => browser.close());
		const page = await browser.newPage({ viewport: WINDOW, deviceScaleFactor: 2 });
		await page.goto(`${url}/signin`);
		await page.fill('input[name="emailOrLdapLoginId"]', email);
		await page.fill('input[name="password"]', password);
		await page.click('[data-test-id="form-submit-button"]');
		await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
		return new Editor(page);
	}

	/** @param {string} url */
	async openWorkflow(url) {
		await this.page.goto(url);
		await this.page.waitForSelector('[data-test-id="canvas-node"]');
	}

	/** Presses the button that runs the workflow, and waits until it has succeeded. */
	async runWorkflow() {
		await this.page.click('[data-test-id="execute-workflow-button"]');
		const success = this.page.getByText('Workflow executed successfully');
		await success.waitFor({ timeout: RUN_TIMEOUT });
	}

	/**
	 * Opens a node that has run, with its output as JSON.
	 *
	 * @param {string} name
	 */
	async openNode(name) {
		await this.page.click('.el-notification__closeBtn');
		await this.page.dblclick(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		await this.page.click('[data-test-id="output-panel"] [data-test-id="radio-button-json"]');
		await this.page.waitForSelector('.el-notification', { state: 'detached' });
	}

	/**
	 * Opens a credential, which tests it.
	 *
	 * @param {string} url n8n's address.
	 * @param {import('./n8nClient.mjs').Credential} credential
	 */
	async openCredential(url, { id }) {
		await this.page.goto(`${url}/home/credentials/${id}`);
		await this.page.getByText('Connection tested successfully').waitFor();
	}

	/** @param {string} file */
	async takePicture(file) {
		await this.page.screenshot({ path: file, animations: 'disabled' });
	}
}

async function launch() {
	const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
	try {
		return await chromium.launch({ executablePath, args: FLAGS });
	} catch (error) {
		throw new ToolError(
			`The browser ${executablePath} could not be started. Install Chromium (Debian: "apt-get ` +
				`install chromium"), or set CHROMIUM to its program.\n\n${/** @type {Error} */ (error).message}`,
		);
	}
}
