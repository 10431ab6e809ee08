import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

// What tests find on a page of the console, and how they get there by the keyboard.

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true });
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** Of the figures at the head of a page. */
export const figure = (page: Page, title: string) =>
  page.locator('dl.figures > div', { has: page.getByText(title, { exact: true }) }).locator('dd');

/** What has the focus: the name of a field, or a label, or a text. */
export const focused = (page: Page) => (): Promise<unknown> =>
  page.evaluate('(({ name, ariaLabel, textContent }) => name || ariaLabel || textContent)(document.activeElement)');

/** A property of what has the focus. */
export const atFocus = (page: Page, property: string) => (): Promise<unknown> =>
  page.evaluate(`document.activeElement.${property}`);

const MOST_TABS = 80;

/** Presses Tab until what has this name, label or text has the focus. */
export async function tabTo(page: Page, text: string): Promise<void> {
  const namesOf = `(({ name, ariaLabel, labels, textContent }) =>
    [name, ariaLabel, labels?.[0]?.textContent.trim(), textContent.trim()])(document.activeElement)`;
  let names: unknown;
  for (let tabs = 0; tabs <= MOST_TABS; tabs += 1) {
    names = await page.evaluate(namesOf);
    if ((names as unknown[]).includes(text)) return;
    await page.keyboard.press('Tab');
  }
  expect(names).toContain(text);
}
