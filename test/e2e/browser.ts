// A real Chromium without a window.
import fs from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the system's own Chromium, or the one that MODES_E2E_BROWSER names. Throws where there is none. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.MODES_E2E_BROWSER || places.find((place) => fs.existsSync(place));
  if (executablePath === undefined)
    throw new Error('Chromium is needed: install the package chromium, or name a browser with MODES_E2E_BROWSER.');
  // No sandbox of its own: a container has none to give, and the only page that is opened is ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-proxy-server'] });
}
