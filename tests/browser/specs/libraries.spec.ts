// Popular packages from npm: prerendered, hydrated, and doing what they are for.
import type { Page } from "@playwright/test";
import { expect, hydrated, isMarked, mark, missingFile, settled, test as base } from "../support/test.ts";

interface Fixtures {
  /** Opens a page whose prerendered HTML must hold `fragments`, and waits until it is hydrated. */
  open: (path: string, ...fragments: string[]) => Promise<void>;
  /** The HTML of a page as a browser that runs no scripts gets it. */
  prerendered: (path: string) => Promise<string>;
}

const test = base.extend<Fixtures>({
  prerendered: async ({ portal }, use) => {
    await use(async (path) => String((await portal.host.answer(portal.url(path))).body));
  },

  open: async ({ page, prerendered, visit }, use) => {
    await use(async (path, ...fragments) => {
      const html = await prerendered(path);
      for (const fragment of fragments) expect(html).toContain(fragment);
      await visit(path);
      // Messages of a hydration that failed come after it.
      await settled(page);
    });
  },
});

test.use({ portalName: "libraries" });

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const styleOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);

test("AI SDK", async ({ page, open }) => {
  await open("/ai-sdk/", "<output>ready</output>");
  await press(page, "Ask");
  await expect(page.locator("li")).toHaveText(["When is high water?", "High water at noon"]);
  await expect(page.locator("output")).toHaveText("ready");
});

test("Ant Design", async ({ page, open }) => {
  await open("/antd/", "ant-btn-primary", '<td class="ant-table-cell">Brest</td>');
  await expect(page.getByRole("button", { name: "Open" })).toHaveCSS("background-color", "rgb(0, 105, 92)");
  await press(page, "Open");
  await expect(page.getByRole("dialog", { name: "Greeting" })).toContainText("Hello");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("columnheader", { name: "Depth" }).click();
  await expect(page.locator("tbody td:last-child")).toHaveText(["3", "12"]);
  await page.getByRole("combobox").press("ArrowDown");
  await page.getByTitle("Quince").click();
  await expect(page.locator("output")).toHaveText("quince");
});

test("Apollo Client", async ({ page, open }) => {
  await open("/apollo/", "<output>none</output>");
  await press(page, "Load");
  await expect(page.locator("output")).toHaveText("Brest");
  await press(page, "Rename");
  await expect(page.locator("output")).toHaveText("Lorient");
});

test("AutoAnimate", async ({ page, open }) => {
  await open("/auto-animate/", "<ul><li>One</li></ul>");
  await press(page, "Add");
  await expect(page.locator("li")).toHaveText(["Two", "One"]);
  // What is on its way out stays in the document for as long as it moves.
  await press(page, "Remove");
  await expect(page.locator("li")).toHaveText(["One"]);
  await expect(page.locator("ul")).toHaveCSS("position", "relative");
});

test.describe("axios", () => {
  test.use({ expectedMessages: missingFile });

  test("axios", async ({ page, open }) => {
    await open("/axios/", "/data/greeting.json?to%5B%5D=Ada&amp;to%5B%5D=%E4%BD%A0");
    await press(page, "Load");
    await expect(page.locator("output")).toHaveText("Hello from the host");
    await press(page, "Miss");
    await expect(page.locator("output")).toHaveText("failed with 404");
  });
});

test("Chakra UI", async ({ page, open }) => {
  await open("/chakra/", 'class="chakra-button', 'aria-haspopup="dialog"');
  await press(page, "Open");
  await expect(page.getByRole("dialog", { name: "Greeting" })).toContainText("Hello");
  await press(page, "Close");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("Chart.js", async ({ page, open }) => {
  await open("/chartjs/", "<p>Nine of ten boats sail</p></canvas>");
  await page.locator("canvas").click({ position: { x: 175, y: 100 } });
  await expect(page.locator("output")).toHaveText("Sail");
  await page.locator("canvas").click({ position: { x: 77, y: 29 } });
  await expect(page.locator("output")).toHaveText("Motor");
});

test("clsx and classnames", async ({ page, open }) => {
  await open("/clsx/", '<p data-testid="clsx" class="lamp large">', '<p data-testid="classnames" class="lamp large">');
  await press(page, "Switch");
  await expect(page.getByTestId("clsx")).toHaveClass("lamp lit warm large");
  await expect(page.getByTestId("classnames")).toHaveClass("lamp lit large");
});

test("cmdk", async ({ page, open }) => {
  await open("/cmdk/", "cmdk-input");
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.getByRole("combobox").fill("prin");
  await expect(page.getByRole("option")).toHaveText(["Print"]);
  await page.keyboard.press("Enter");
  await expect(page.locator("output")).toHaveText("Print");
  await page.getByRole("combobox").fill("sail");
  await expect(page.getByText("Nothing found")).toBeVisible();
});

test("CodeMirror", async ({ page, open }) => {
  await open("/codemirror/", 'class="cm-theme-light"', "<output>13</output>");
  await expect(page.locator(".cm-line span").first()).toHaveText("let");
  await page.locator(".cm-content").click();
  await page.keyboard.type("let");
  await expect(page.locator("output")).toHaveText("16");
});

test("D3", async ({ page, open }) => {
  await open("/d3/", '<path d="M0,60L30,25.714L', "<p>1,234.50</p>");
  await press(page, "Next");
  await expect(page.locator("path")).toHaveAttribute("d", "M0,40L30,40L60,0L90,60");
});

test("date-fns", async ({ page, open }) => {
  await open("/date-fns/", "Wednesday, 28 February 2024", "2024年2月28日 星期三", "0 seconds ago");
  await press(page, "Next day");
  await expect(page.getByTestId("date")).toHaveText("Thursday, 29 February 2024");
  await expect(page.getByTestId("chinese")).toHaveText("2024年2月29日 星期四");
  await expect(page.getByTestId("distance")).toHaveText("in 1 day");
  await expect(page.getByTestId("days")).toHaveText("1");
});

test("React DayPicker", async ({ page, open }) => {
  await open("/day-picker/", "February 2024", 'class="rdp-day_button"');
  await page.getByRole("button", { name: /February 28th/ }).click();
  await expect(page.locator("output")).toHaveText("28");
});

test("Day.js", async ({ page, open }) => {
  await open("/dayjs/", "2024-05-01 08:00", "星期三", "a few seconds ago");
  await press(page, "Later");
  await expect(page.getByTestId("time")).toHaveText("2024-05-02 04:00");
  await expect(page.getByTestId("chinese")).toHaveText("星期四");
  await expect(page.getByTestId("distance")).toHaveText("in 20 hours");
});

test("decimal.js", async ({ page, open }) => {
  await open("/decimal/", "<output>0.1</output>", "<p>1.41421356237</p>");
  await press(page, "Add");
  await expect(page.locator("output")).toHaveText("0.3");
});

test("Dexie", async ({ page, open }) => {
  await open("/dexie/", "<output></output>");
  await press(page, "Fill");
  await expect(page.locator("output")).toHaveText("Brest, Lorient");
});

test("dnd kit", async ({ page, open }) => {
  await open("/dnd-kit/", 'aria-roledescription="draggable"');
  await page.getByRole("button", { name: "Card" }).hover();
  await page.mouse.down();
  const pile = (await page.getByLabel("Pile").boundingBox())!;
  await page.mouse.move(pile.x + 50, pile.y + 50, { steps: 5 });
  await expect(page.getByLabel("Pile")).toHaveText("over");
  await page.mouse.up();
  await expect(page.locator("output")).toHaveText("pile");
});

test("DOMPurify", async ({ page, open }) => {
  await open("/dompurify/", "<em>Nothing yet</em>");
  await press(page, "Show");
  await expect(page.getByTestId("result").locator("b")).toHaveText("Safe");
  expect(await page.getByTestId("result").innerHTML()).toBe('<b>Safe</b><img src="data:,"><a>link</a>');
});

test("Downshift", async ({ page, open }) => {
  await open("/downshift/", 'role="combobox"', 'role="listbox"');
  await page.getByRole("combobox").fill("ui");
  await expect(page.getByRole("option")).toHaveText(["Quince"]);
  await page.getByRole("option").click();
  await expect(page.locator("output")).toHaveText("Quince");
});

test("Embla", async ({ page, open }) => {
  await open("/embla-carousel/", ">Two</div>");
  await press(page, "Previous");
  await expect(page.locator("output")).toHaveText("2");
  await expect(page.getByText("Three")).toBeInViewport();
});

test("Emotion", async ({ page, open }) => {
  await open("/emotion/", "body{margin:0;}", "{color:rgb(0, 0, 128);}", "{width:160px;", "@keyframes animation-");
  expect(await styleOf(page, "h1", "color")).toBe("rgb(0, 0, 128)");
  expect(await styleOf(page, "body", "margin-left")).toBe("0px");
  expect(await styleOf(page, "section", "width")).toBe("160px");
  await press(page, "Widen");
  await expect(page.getByTestId("card")).toHaveCSS("width", "320px");
});

test.describe("react-error-boundary", () => {
  // React tells of each error that a boundary has caught.
  test.use({ expectedMessages: /The part is broken/ });

  test("react-error-boundary", async ({ page, open }) => {
    await open("/error-boundary/", "<p>The part is fine</p>");
    await press(page, "Break");
    await press(page, "Again");
    await expect(page.getByText("The part is fine")).toBeVisible();
  });
});

test("Floating UI", async ({ page, open }) => {
  await open("/floating-ui/", "Details</button>");
  await press(page, "Details");
  // There is no room above the button, where the page wants it.
  await expect(page.getByText("Beside the button")).toHaveAttribute("data-placement", "bottom");
  await expect(page.getByText("Beside the button")).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Beside the button")).toHaveCount(0);
});

test("Formik and yup", async ({ page, open }) => {
  await open("/formik/", '<form action="#"><input aria-label="E-mail" name="email" value=""/>');
  await press(page, "Send");
  await expect(page.locator("em")).toHaveText("Needed");
  await page.getByLabel("E-mail").fill("ada");
  await expect(page.locator("em")).toHaveText("Not an address");
  await page.getByLabel("E-mail").fill("ada@portal.example");
  await press(page, "Send");
  await expect(page.locator("output")).toHaveText("ada@portal.example");
});

test("framer-motion", async ({ page, open }) => {
  await open("/framer-motion/", 'style="opacity:0.5;transform:translateX(10px)"', "<output>0</output>");
  await expect(page.getByTestId("box")).toHaveAttribute("style", "opacity: 1; transform: translateX(40px);");
  await press(page, "Toggle");
  await expect(page.getByText("Answer")).toHaveCSS("height", "40px");
  await press(page, "Toggle");
  await expect(page.getByText("Answer")).toHaveCount(0);
  await press(page, "Move");
  await expect(page.locator("output")).toHaveText("42");
});

test("Fuse.js", async ({ page, open }) => {
  await open("/fuse/", "<output>Apple</output>");
  await page.getByLabel("Query").fill("qince");
  await expect(page.locator("output")).toHaveText("Quince");
});

test("GSAP", async ({ page, open }) => {
  await open("/gsap/", ">Box</div>");
  await press(page, "Move");
  await expect(page.locator("output")).toHaveText("arrived");
  await expect(page.getByTestId("box")).toHaveCSS("transform", "matrix(1, 0, 0, 1, 100, 0)");
});

test("Headless UI", async ({ page, open }) => {
  await open("/headlessui/", 'aria-haspopup="listbox"', 'role="switch"');
  await press(page, "Brest");
  await page.getByRole("option", { name: "Lorient" }).click();
  await expect(page.getByRole("button", { name: "Lorient" })).toBeVisible();
  await page.getByRole("switch").click();
  await expect(page.getByRole("switch", { checked: true })).toHaveText("on");
});

test("react-hotkeys-hook", async ({ page, open }) => {
  await open("/hotkeys/", "<output>0</output>");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("k");
  await expect(page.locator("output")).toHaveText("1");
});

test("i18next and react-i18next", async ({ page, open }) => {
  await open("/i18next/", "<h1>Welcome</h1>", ">1 letter<", ">5 letters<", "Read <strong>this</strong> first");
  await press(page, "中文");
  await expect(page.locator("h1")).toHaveText("欢迎");
  await expect(page.getByTestId("many")).toHaveText("5 封信");
  await expect(page.getByTestId("hint").locator("strong")).toHaveText("这个");
});

test("nanoid and uuid", async ({ page, open }) => {
  await open("/ids/", "3136d642-bb79-5317-a4ac-c420187c1c5d", "00000000-0000-0000-0000-000000000000 true");
  await press(page, "Make");
  await expect(page.locator("output")).toHaveText(/^[\w-]{21} \d{6} [\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f-]{17}$/);
});

test("immer and use-immer", async ({ page, open }) => {
  await open("/immer/", ">ab true<");
  await press(page, "Go on");
  const days = [
    { place: "Brest", done: true },
    { place: "After 1", done: false },
  ];
  await expect(page.getByTestId("plan")).toHaveText(JSON.stringify({ title: "Trip", days }));
});

test("input-otp", async ({ page, open }) => {
  await open("/input-otp/", "<span>-</span><span>-</span><span>-</span><span>-</span>");
  await page.getByLabel("Code").focus();
  await page.keyboard.type("12");
  await expect(page.getByTestId("slots")).toHaveText("12--");
  await page.keyboard.type("34");
  await expect(page.locator("output")).toHaveText("1234");
});

test("jotai", async ({ page, open }) => {
  await open("/jotai/", 'data-testid="fahrenheit">68<');
  await press(page, "Warmer");
  await expect(page.getByTestId("fahrenheit")).toHaveText("77");
  await press(page, "Reset");
  await expect(page.getByTestId("fahrenheit")).toHaveText("68");
});

test("js-cookie", async ({ page, open }) => {
  await open("/js-cookie/", "<output>none</output>");
  await press(page, "Keep");
  await expect(page.locator("output")).toHaveText("dark & blue");
  expect(await page.evaluate(() => document.cookie)).toBe("theme=dark%20&%20blue");
});

test("KaTeX", async ({ page, open }) => {
  await open("/katex/", "<mfrac><mi>a</mi><mi>b</mi></mfrac>", 'class="katex-html"');
  expect(await styleOf(page, ".katex", "font-family")).toContain("KaTeX_Main");
  await press(page, "Root");
  await expect(page.locator("msqrt")).toHaveText("2");
});

test("Ky", async ({ page, open }) => {
  await open("/ky/", "<output></output>");
  await press(page, "Load");
  await expect(page.locator("output")).toHaveText("Hello from the host");
});

test("Leaflet, imported in an effect", async ({ page, open }) => {
  await open("/leaflet/", "<p>The map is coming</p>");
  await expect(page.locator(".leaflet-container")).toHaveCSS("overflow", "hidden");
  await page.locator("path.leaflet-interactive").click();
  await expect(page.locator(".leaflet-popup-content")).toHaveText("Brest");
});

test("Lexical", async ({ page, open }) => {
  await open("/lexical/", "<h1>Lexical</h1>");
  await expect(page.getByText("Write here")).toBeVisible();
  await page.getByLabel("Letter").click();
  await page.keyboard.type("Dear Ada");
  await expect(page.locator("output")).toHaveText("Dear Ada");
  // What is typed slowly is undone in several steps.
  await expect(async () => {
    await page.keyboard.press("Control+z");
    await expect(page.locator("output")).toHaveText("", { timeout: 500 });
  }).toPass();
});

test("lodash-es", async ({ page, open }) => {
  await open("/lodash-es/", "{&quot;map&quot;:{&quot;zoom&quot;:4,&quot;layers&quot;:[&quot;sea&quot;]}}", ">[4,2]<");
  await page.getByLabel("Name").fill("Belle Île");
  await expect(page.locator("output")).toHaveText("belle-ile");
});

test("lucide-react", async ({ page, open }) => {
  await open("/lucide-react/", 'class="lucide lucide-anchor"', "lucide-sun");
  await press(page, "Theme");
  await expect(page.locator("svg.lucide-moon")).toBeVisible();
  await expect(page.locator("svg.lucide-sun")).toHaveCount(0);
});

test("Luxon", async ({ page, open }) => {
  await open("/luxon/", "Wednesday, 28 February 2024", "星期三", "20:00 +08:00", "01:30");
  await press(page, "Next day");
  await expect(page.getByTestId("day")).toHaveText("Thursday, 29 February 2024");
  await expect(page.getByTestId("chinese")).toHaveText("星期四");
});

test("Mantine", async ({ page, open }) => {
  await open("/mantine/", 'class="mantine-focus-auto', ">Name</label>");
  await expect(page.getByRole("button", { name: "Open" })).toHaveCSS("background-color", "rgb(18, 184, 134)");
  await press(page, "Open");
  await expect(page.getByRole("dialog", { name: "Greeting" })).toContainText("Hello");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("marked and highlight.js", async ({ page, open }) => {
  await open("/marked/", "<p>Count with <code>let</code>:</p>", '<span class="hljs-keyword">let</span>');
  expect(await styleOf(page, ".hljs-keyword", "color")).toBe("rgb(215, 58, 73)");
  await press(page, "Next");
  await expect(page.locator("blockquote p")).toHaveText("Done");
});

for (const [name, path] of [
  ["React's own metadata", "/metadata/"],
  ["react-helmet-async", "/react-helmet-async/"],
] as const) {
  test(name, async ({ page, open }) => {
    await open(path, '<meta name="theme-color" content="#004488"/>');
    const colour = page.locator('meta[name="theme-color"]');
    await expect(colour).toHaveCount(1);
    await press(page, "Red");
    await expect(colour).toHaveAttribute("content", "#882200");
    if (path === "/react-helmet-async/") await expect(page.locator("html")).toHaveAttribute("data-theme", "sea");
  });

  test(`${name} is in the head without scripts`, async ({ prerendered }) => {
    const [head, body] = (await prerendered(path)).split("</head>");
    // Search engines and browsers ignore most of it elsewhere.
    expect(head).toContain('<meta name="theme-color" content="#004488"/>');
    expect(head).toContain(path === "/metadata/" ? '<link rel="author"' : '<link rel="help"');
    expect(body).not.toContain("<meta");
  });
}

test("MobX", async ({ page, open }) => {
  await open("/mobx/", ">0 s<");
  await press(page, "Tick");
  await press(page, "Tick");
  await expect(page.getByTestId("label")).toHaveText("2 s");
});

test("Moment.js", async ({ page, open }) => {
  await open("/moment/", "Wednesday, February 28, 2024", "2024年2月28日 星期三");
  await press(page, "Next day");
  await expect(page.getByTestId("day")).toHaveText("Thursday, February 29, 2024");
  await expect(page.getByTestId("chinese")).toHaveText("2024年2月29日 星期四");
});

test("motion, with features loaded apart", async ({ page, open }) => {
  await open("/motion/", ">Arrow</div>");
  await press(page, "Turn");
  await expect(page.getByTestId("box")).toHaveAttribute("style", "transform: rotate(90deg);");
});

test("MUI", async ({ page, open }) => {
  await open("/mui/", "{padding:24px;}", "containedBg:#00695c;", ">Greet</button>");
  expect(await styleOf(page, ".MuiButton-root", "background-color")).toBe("rgb(0, 105, 92)");
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Volume").press("ArrowRight");
  await expect(page.getByLabel("Volume")).toHaveValue("31");
  await page.getByRole("button", { name: "Greet" }).hover();
  await expect(page.getByRole("tooltip")).toHaveText("Greets");
  await page.getByRole("button", { name: "Greet" }).click();
  await expect(page.getByRole("dialog").getByRole("heading")).toHaveText("Hello Ada");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("Nano Stores", async ({ page, open }) => {
  await open("/nanostores/", "<output>2</output>");
  await press(page, "Count");
  await expect(page.locator("output")).toHaveText("4");
});

test("react-number-format", async ({ page, open }) => {
  await open("/number-format/", 'value="12,345.6 €"');
  await page.getByLabel("Amount").fill("9876543");
  await expect(page.getByLabel("Amount")).toHaveValue("9,876,543 €");
  await expect(page.locator("output")).toHaveText("9876543");
});

test("Pangea DnD", async ({ page, open }) => {
  await open("/pangea-dnd/", 'data-rfd-draggable-id="One"', "<output>One Two Three</output>");
  await page.getByRole("button", { name: "One" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "One" })).toHaveCSS("pointer-events", "none");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expect(page.locator("output")).toHaveText("Two One Three");
});

test("Papa Parse", async ({ page, open }) => {
  await open("/papaparse/", "Brest: 12; Sein, island: 3");
  await press(page, "Add");
  await expect(page.getByTestId("rows")).toHaveText("Brest: 12; Sein, island: 3; Lorient: 8");
});

test("qrcode.react", async ({ page, open }) => {
  await open("/qrcode/", 'viewBox="0 0 25 25"', "<title>https://portal.example</title>");
  await press(page, "Longer");
  await expect(page.locator("svg")).toHaveAttribute("viewBox", "0 0 33 33");
});

test("qs", async ({ page, open }) => {
  await open("/qs/", "{&quot;b&quot;:&quot;1&quot;,&quot;c&quot;:[&quot;2&quot;]},&quot;name&quot;:&quot;你&quot;}<");
  await page.getByLabel("Query").fill("list[]=x&list[]=y z");
  await expect(page.getByTestId("parsed")).toHaveText('{"list":["x","y z"]}');
  await expect(page.getByTestId("written")).toHaveText("list[0]=x&list[1]=y%20z");
});

test("Radix UI", async ({ page, open }) => {
  await open("/radix-dialog/", 'aria-haspopup="dialog" aria-expanded="false"');
  await press(page, "Edit");
  await expect(page.getByRole("dialog", { name: "Edit the name" })).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await press(page, "Done");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Edit" })).toBeFocused();
  await expect(page.locator("output")).toHaveText("Ada");
});

test("Ramda", async ({ page, open }) => {
  await open("/ramda/", "<output>B: belle-île, brest; S: sein</output>");
  await press(page, "Add");
  await expect(page.locator("output")).toHaveText("B: belle-île, brest; L: lorient; S: sein");
});

test("React Aria", async ({ page, open }) => {
  await open("/react-aria/", 'class="react-aria-Button"', 'role="listbox"', ">Quince</");
  await page.getByRole("option", { name: "Quince" }).click();
  await expect(page.locator("output")).toHaveText("quince");
  await press(page, "Open");
  await expect(page.getByRole("dialog", { name: "Greeting" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("React Bootstrap", async ({ page, open }) => {
  await open("/react-bootstrap/", 'class="btn btn-outline-primary"', "accordion-collapse collapse show");
  await press(page, "Second");
  await expect(page.locator(".accordion-collapse.show")).toHaveText("Second text");
});

test("react-datepicker", async ({ page, open }) => {
  await open("/react-datepicker/", 'class="react-datepicker__input-container"');
  await page.getByPlaceholder("Day of arrival").click();
  await page.getByRole("gridcell", { name: /February 28th/ }).click();
  await expect(page.getByPlaceholder("Day of arrival")).toHaveValue("2024-02-28");
});

test("react-dropzone", async ({ page, open }) => {
  await open("/react-dropzone/", 'accept="text/plain,.txt"');
  const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from("text") });
  await page.locator("input").setInputFiles([file("tides.txt", "text/plain"), file("map.png", "image/png")]);
  await expect(page.locator("output")).toHaveText("tides.txt");
  await expect(page.getByTestId("rejected")).toHaveText("map.png");
});

test("react-hook-form", async ({ page, open }) => {
  await open("/react-hook-form/", '<input aria-label="Article 1" name="lines.0.article"/>');
  await press(page, "Send");
  await expect(page.getByRole("alert")).toHaveText("A name is needed");
  await page.getByLabel("Name").fill("Ada");
  await press(page, "Another");
  await page.getByLabel("Article 2").fill("Quill");
  await press(page, "Send");
  const lines = [{ article: "Paper" }, { article: "Quill" }];
  await expect(page.locator("output")).toHaveText(JSON.stringify({ name: "Ada", lines }));
});

test("react-hot-toast", async ({ page, open }) => {
  await open("/react-hot-toast/", "data-rht-toaster");
  await press(page, "Save");
  await expect(page.getByRole("status").getByText("Saved")).toBeVisible();
});

test("react-icons", async ({ page, open }) => {
  await open("/react-icons/", "<title>Anchor</title>", "<title>Not liked</title>", 'class="icon" height="2em"');
  await page.getByRole("button", { pressed: false }).click();
  await expect(page.getByRole("button", { pressed: true }).locator("title")).toHaveText("Liked");
});

test("react-intersection-observer", async ({ page, open }) => {
  await open("/react-intersection-observer/", ">not seen</output>");
  await page.locator("footer").scrollIntoViewIfNeeded();
  await expect(page.locator("output")).toHaveText("seen");
});

test("React Intl", async ({ page, open }) => {
  await open("/react-intl/", "2 letters for <b>Ada</b>", "€1,234.50", "January 1, 1970");
  await press(page, "中文");
  await expect(page.getByTestId("letters")).toHaveText("Ada有 2 封信");
  await expect(page.getByTestId("date")).toHaveText("1970年1月1日");
});

test("react-markdown", async ({ page, open }) => {
  await open("/react-markdown/", "<h2>Tides</h2>", "<em>High</em> water at <strong>noon</strong>", "<td>Brest</td>");
  await page.getByLabel("Markdown").fill("- [x] *done*\n- open");
  await expect(page.locator("article li")).toHaveText(["done", "open"]);
  await expect(page.locator("article li input").first()).toBeChecked();
});

test("React Query", async ({ page, open }) => {
  await open("/react-query/", ">Loading<", ">waiting<");
  await expect(page.getByTestId("tasks")).toHaveText("Write, Check");
  await press(page, "Add");
  await expect(page.getByTestId("tasks")).toHaveText("Write, Check, Publish");
  await expect(page.locator("output")).toHaveText("Added");
});

test("react-select", async ({ page, open }) => {
  await open("/react-select/", "Choose a fruit", 'data-emotion="css ');
  await page.getByRole("combobox").fill("qu");
  await expect(page.getByRole("option")).toHaveText(["Quince"]);
  await page.keyboard.press("Enter");
  await expect(page.locator("output")).toHaveText("quince");
});

test("react-spring", async ({ page, open }) => {
  await open("/react-spring/", ">Box</div><output>0</output>");
  await press(page, "Move");
  await expect(page.locator("output")).toHaveText("100");
  await expect(page.getByTestId("box")).toHaveCSS("transform", "matrix(1, 0, 0, 1, 100, 0)");
});

test("React Table", async ({ page, open }) => {
  await open("/react-table/", "<tr><td>Brest</td><td>12</td></tr><tr><td>Sein</td><td>3</td></tr>");
  const depths = page.locator("td:last-child");
  await press(page, "Depth");
  await expect(depths).toHaveText(["12", "8", "3"]);
  await press(page, "Depth");
  await expect(depths).toHaveText(["3", "8", "12"]);
});

test("react-transition-group", async ({ page, open }) => {
  await open("/react-transition-group/", "<ul><li>Item <!-- -->1</li></ul>");
  await press(page, "Toggle");
  await expect(page.getByText("Note")).toHaveClass("fade-enter-done");
  await press(page, "Toggle");
  await expect(page.getByText("Note")).toHaveCount(0);
  await press(page, "Next");
  await expect(page.locator("li")).toHaveText(["Item 3"]);
  await expect(page.locator("li")).toHaveClass("fade-enter-done");
});

test("react-use", async ({ page, open }) => {
  await open("/react-use/", ">off 3 Ada<");
  await press(page, "Toggle");
  await press(page, "Count");
  await press(page, "Count");
  await press(page, "Rename");
  await expect(page.getByTestId("state")).toHaveText("on 4 Grace");
  await expect(page.getByTestId("width")).toHaveText("1280");
});

test("react-virtuoso", async ({ page, open }) => {
  await open("/react-virtuoso/", "<div>Row <!-- -->2</div>");
  await press(page, "Far");
  await expect(page.getByText("Row 9000", { exact: true })).toBeVisible();
  await expect(page.getByText("Row 2", { exact: true })).toHaveCount(0);
});

test("react-window", async ({ page, open }) => {
  await open("/react-window/", "Row <!-- -->2</div>");
  await press(page, "Far");
  await expect(page.getByText("Row 900", { exact: true })).toBeVisible();
  await expect(page.getByText("Row 2", { exact: true })).toHaveCount(0);
});

test("Recharts", async ({ page, open }) => {
  await open("/recharts/", 'class="recharts-wrapper"');
  await expect(page.locator(".recharts-line-curve")).toHaveAttribute("d", /^M[\d.]+,[\d.]+/);
  await expect(page.locator(".recharts-legend-item")).toHaveText("height");
  await page.locator(".recharts-wrapper").hover({ position: { x: 390, y: 100 } });
  await expect(page.locator(".recharts-tooltip-item")).toHaveText("height : 1");
  await press(page, "Bars");
  await expect(page.locator(".recharts-bar-rectangle")).toHaveCount(3);
});

test("Redux Toolkit and react-redux", async ({ page, open }) => {
  await open("/redux/", 'data-testid="boxes">2<');
  await press(page, "Add");
  await expect(page.getByTestId("boxes")).toHaveText("5");
  await press(page, "Load");
  await expect(page.getByTestId("boxes")).toHaveText("40");
});

test("react-resizable-panels", async ({ page, open }) => {
  await open("/resizable-panels/", 'role="separator"');
  await expect(page.locator("output")).toHaveText("50");
  await page.getByRole("separator").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("output")).toHaveText("55");
});

test("RxJS", async ({ page, open }) => {
  await open("/rxjs/", "<output>0</output>");
  await press(page, "Up");
  await press(page, "Up");
  await press(page, "Down");
  await expect(page.locator("output")).toHaveText("1");
});

test("sonner", async ({ page, open }) => {
  await open("/sonner/", 'aria-label="Notifications alt+T"');
  await press(page, "Send");
  await expect(page.getByText("It is on its way")).toBeVisible();
});

test("styled-components", async ({ page, open }) => {
  await open("/styled-components/", ">Off</button>");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(250, 250, 240)");
  await expect(page.getByRole("button")).toHaveCSS("padding", "16px");
  await press(page, "Off");
  await expect(page.getByRole("button", { name: "On" })).toHaveCSS("color", "rgb(200, 0, 0)");
});

test("Supabase", async ({ page, open }) => {
  await open("/supabase/", "<output></output>");
  await press(page, "Load");
  await expect(page.locator("output")).toHaveText("Brest");
});

test("Swiper", async ({ page, open }) => {
  await open("/swiper/", 'class="swiper-slide"', "swiper-button-next");
  // From the style sheet of the package.
  await expect(page.locator(".swiper-wrapper")).toHaveCSS("display", "flex");
  await page.locator(".swiper-button-next").click();
  await expect(page.locator("output")).toHaveText("1");
  await expect(page.getByText("Two")).toBeInViewport();
});

test("SWR", async ({ page, open }) => {
  await open("/swr/", 'data-testid="visitors">0<');
  await expect(page.getByTestId("visitors")).toHaveText("7");
  await press(page, "Come in");
  await expect(page.getByTestId("visitors")).toHaveText("8");
  await expect(page.locator("output")).toHaveText("8");
  await press(page, "Overwrite");
  await expect(page.getByTestId("visitors")).toHaveText("100");
});

test("TanStack Form", async ({ page, open }) => {
  await open("/tanstack-form/", 'value="Ada"');
  await page.getByLabel("Name").fill("");
  await expect(page.locator("em")).toHaveText("A name is needed");
  await page.getByLabel("Name").fill("Grace");
  await press(page, "Send");
  await expect(page.locator("output")).toHaveText("Grace");
});

test("TanStack Virtual", async ({ page, open }) => {
  await open("/tanstack-virtual/", "Row <!-- -->2</div>");
  await press(page, "Far");
  await expect(page.getByText("Row 900", { exact: true })).toBeVisible();
  await expect(page.getByText("Row 2", { exact: true })).toHaveCount(0);
});

test("Temporal", async ({ page, open }) => {
  await open("/temporal/", ">2024-02-28<", "2024-02-28T12:00:00+01:00[+01:00]");
  await press(page, "Next day");
  await expect(page.getByTestId("day")).toHaveText("2024-02-29");
  await expect(page.getByTestId("there")).toHaveText("2024-02-29T12:00:00+01:00[+01:00]");
});

test("Tiptap", async ({ page, open }) => {
  await open("/tiptap/", "<h1>Tiptap</h1>");
  await expect(page.locator(".tiptap p")).toHaveText("Hello");
  await press(page, "Bold");
  await expect(page.locator("output")).toHaveText("<p><strong>Hello</strong></p>");
});

test("urql", async ({ page, open }) => {
  await open("/urql/", "<output>none</output>");
  await press(page, "Load");
  await expect(page.locator("output")).toHaveText("Brest");
});

test("usehooks-ts", async ({ page, open }) => {
  await open("/usehooks-ts/", "<output>off 3 Ada</output>");
  await press(page, "Toggle");
  await press(page, "Count");
  await press(page, "Rename");
  await expect(page.locator("output")).toHaveText("on 4 Grace");
});

test("Valibot", async ({ page, open }) => {
  await open("/valibot/", "<output>Too short; Not an address</output>");
  await press(page, "Mend");
  await expect(page.locator("output")).toHaveText('{"name":"Ada","mail":"ada@portal.example"}');
});

test("valtio", async ({ page, open }) => {
  await open("/valtio/", ">1, 2<", ">Ada<");
  await press(page, "Count");
  await expect(page.getByTestId("count")).toHaveText("2, 4");
  await press(page, "Name");
  await expect(page.getByTestId("names")).toHaveText("Ada, Grace");
});

test("Vaul", async ({ page, open }) => {
  await open("/vaul/", 'aria-haspopup="dialog" aria-expanded="false" data-state="closed">Open<');
  await press(page, "Open");
  await expect(page.getByRole("dialog", { name: "Drawer" })).toContainText("From below");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("XState", async ({ page, open }) => {
  await open("/xstate/", "<output>off, lit 0 times</output>");
  await press(page, "Switch");
  await expect(page.locator("output")).toHaveText("on, lit 1 times");
  await press(page, "Switch");
  await expect(page.locator("output")).toHaveText("off, lit 1 times");
});

test("React Flow", async ({ page, open }) => {
  await open("/xyflow/", 'class="react-flow__viewport');
  await expect(page.locator("path.react-flow__edge-path")).toHaveAttribute("d", /^M/);
  const before = await styleOf(page, ".react-flow__viewport", "transform");
  await press(page, "Zoom Out");
  await expect(page.locator(".react-flow__viewport")).not.toHaveCSS("transform", before);
});

test("zod", async ({ page, open }) => {
  await open("/zod/", "{&quot;name&quot;:&quot;Ada&quot;,&quot;age&quot;:36}");
  await press(page, "Send");
  await expect(page.getByRole("alert")).toHaveText("Too short; Not an age");
  await page.getByLabel("Name").fill("Grace");
  await page.getByLabel("Age").fill("85");
  await press(page, "Send");
  await expect(page.locator("output")).toHaveText('{"name":"Grace","age":85}');
});

test("zustand", async ({ page, open }) => {
  await open("/zustand/", "<ul><li>apple</li></ul>");
  await press(page, "Add");
  await expect(page.getByTestId("count")).toHaveText("2");
  await page.reload();
  await hydrated(page);
  await expect(page.locator("li")).toHaveText(["apple", "pear"]);
});

test("all of them, one after the other, without a load", async ({ page, visit }) => {
  test.slow();
  await visit("/");
  await mark(page);
  for (const name of await page.getByRole("link").allTextContents()) {
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveTitle(name);
    await expect(page.locator("h1")).toBeVisible();
    await settled(page);
    await page.goBack();
    await expect(page).toHaveTitle("Libraries");
  }
  expect(await isMarked(page)).toBe(true);
});
