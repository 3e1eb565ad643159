// Extensions add to documents, change and remove what is there, before React hydrates the page and afterwards.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, link, mark, type Portal, test } from "../support/test.ts";

test.use({
  portalName: "failures",
  // What differs while a page is hydrated makes React render it anew.
  expectedMessages: /^error: portalgen: \S+ (was prerendered differently|failed in part)/,
});

/** What extensions do. Each runs in the browser. */
const habits: Record<string, () => void> = {
  "marks the document and adds to its end, as Grammarly does": () => {
    document.body.setAttribute("data-new-gr-c-s-check-loaded", "14.1");
    document.body.setAttribute("cz-shortcut-listen", "true");
    for (const field of document.querySelectorAll("input")) field.setAttribute("data-gramm", "false");
    document.body.append(document.createElement("grammarly-desktop-integration"));
    document.body.prepend(document.createElement("div"));
  },
  "paints everything dark, as Dark Reader does": () => {
    document.documentElement.setAttribute("data-darkreader-mode", "dynamic");
    document.head.prepend(Object.assign(document.createElement("meta"), { name: "darkreader" }));
    for (const name of ["fallback", "user-agent", "text"]) {
      const style = document.createElement("style");
      style.className = `darkreader darkreader--${name}`;
      style.textContent = "html { background-color: #181a1b }";
      document.head.prepend(style);
    }
    for (const element of document.querySelectorAll<HTMLElement>("#root *")) {
      element.setAttribute("data-darkreader-inline-color", "");
      element.style.setProperty("--darkreader-inline-color", "#e8e6e3");
    }
  },
  "puts an icon beside each field, as password managers do": () => {
    for (const field of document.querySelectorAll("input")) {
      field.style.backgroundImage = "none";
      field.setAttribute("autocomplete", "off");
      const icon = document.createElement("div");
      icon.setAttribute("data-lastpass-icon-root", "");
      field.after(icon);
    }
  },
  "adds to each paragraph, as translators beside the text do": () => {
    for (const paragraph of document.querySelectorAll("#root h1, #root p")) {
      const translation = document.createElement("font");
      translation.className = "notranslate";
      translation.append(document.createElement("br"), "translated");
      paragraph.append(translation);
    }
  },
  "takes what looks like an advertisement away": () => {
    document.querySelector("#input")?.remove();
    document.querySelector("#after")?.remove();
  },
  "wraps all there is": () => {
    const wrapper = document.createElement("div");
    wrapper.append(...document.body.childNodes);
    document.body.append(wrapper);
  },
};

async function expectToGoOn(page: Page, portal: Portal) {
  await expect(page.locator("h1")).toContainText("State");
  await page.locator("#add").click();
  await expect(page.locator("#add")).toContainText("1");
  await page.locator("#count").click();
  await mark(page);
  await link(page, portal, "/text/").click();
  await expect(page.locator("h1")).toContainText("Text");
  await expect(page.locator("#add")).toHaveText("Add");
  await page.locator("#toggle").click();
  await expect(page.locator("#shown")).toContainText("hidden");
  await page.goBack();
  await expect(page.locator("h1")).toContainText("State");
  await page.locator("#add").click();
  await expect(page.locator("#add")).toContainText("1");
  expect(await isMarked(page)).toBe(true);
  await expect(page.locator("#count")).toContainText("1");
  await expect(page.locator("h1")).toHaveCount(1);
  await expect(page.getByRole("alert")).toHaveCount(0);
}

for (const [habit, act] of Object.entries(habits)) {
  test(`a page goes on if an extension ${habit}, before it is hydrated`, async ({ page, portal }) => {
    await page.addInitScript(`document.addEventListener("readystatechange", () => {
      if (document.readyState === "interactive") (${act})();
    })`);
    await page.goto(portal.url("/state/"));
    await hydrated(page);
    await expectToGoOn(page, portal);
  });

  test(`a page goes on if an extension ${habit}, once it is hydrated`, async ({ page, portal, visit }) => {
    await visit("/state/");
    await page.evaluate(act);
    await page.locator("#add").click();
    await expect(page.locator("#add")).toContainText("1");
    await page.reload();
    await hydrated(page);
    await page.evaluate(act);
    await expectToGoOn(page, portal);
  });
}

test("a page goes on if something on the way writes into the document", async ({ page, portal }) => {
  await page.route(portal.url("/state/"), async (route) => {
    const answer = await portal.host.answer(route.request().url());
    const write = (id: string) => `<script>document.write('<div id="${id}">written</div>')</script>`;
    const html = String(answer.body);
    const body = html.replace("<head>", `<head>${write("first")}`).replace("</body>", `${write("last")}</body>`);
    await route.fulfill({ ...answer, body });
  });
  await page.goto(portal.url("/state/"));
  await hydrated(page);
  await expect(page.locator("#first")).toHaveCount(1);
  await expect(page.locator("#last")).toHaveCount(1);
  await expectToGoOn(page, portal);
});
