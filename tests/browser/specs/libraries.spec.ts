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
    await use(async (path) => (await fetch(portal.url(path))).text());
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

// In one worker, or each would build the portal, which takes as long as all of the tests.
test.describe.configure({ mode: "default" });

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const styleOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);

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

test("date-fns", async ({ page, open }) => {
  await open("/date-fns/", "Wednesday, 28 February 2024", "2024年2月28日 星期三", "0 seconds ago");
  await press(page, "Next day");
  await expect(page.getByTestId("date")).toHaveText("Thursday, 29 February 2024");
  await expect(page.getByTestId("chinese")).toHaveText("2024年2月29日 星期四");
  await expect(page.getByTestId("distance")).toHaveText("in 1 day");
  await expect(page.getByTestId("days")).toHaveText("1");
});

test("Day.js", async ({ page, open }) => {
  await open("/dayjs/", "2024-05-01 08:00", "星期三", "a few seconds ago");
  await press(page, "Later");
  await expect(page.getByTestId("time")).toHaveText("2024-05-02 04:00");
  await expect(page.getByTestId("chinese")).toHaveText("星期四");
  await expect(page.getByTestId("distance")).toHaveText("in 20 hours");
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

test("Headless UI", async ({ page, open }) => {
  await open("/headlessui/", 'aria-haspopup="listbox"', 'role="switch"');
  await press(page, "Brest");
  await page.getByRole("option", { name: "Lorient" }).click();
  await expect(page.getByRole("button", { name: "Lorient" })).toBeVisible();
  await page.getByRole("switch").click();
  await expect(page.getByRole("switch", { checked: true })).toHaveText("on");
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

test("jotai", async ({ page, open }) => {
  await open("/jotai/", 'data-testid="fahrenheit">68<');
  await press(page, "Warmer");
  await expect(page.getByTestId("fahrenheit")).toHaveText("77");
  await press(page, "Reset");
  await expect(page.getByTestId("fahrenheit")).toHaveText("68");
});

test("Leaflet, imported in an effect", async ({ page, open }) => {
  await open("/leaflet/", "<p>The map is coming</p>");
  await expect(page.locator(".leaflet-container")).toHaveCSS("overflow", "hidden");
  await page.locator("path.leaflet-interactive").click();
  await expect(page.locator(".leaflet-popup-content")).toHaveText("Brest");
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

test("valtio", async ({ page, open }) => {
  await open("/valtio/", ">1, 2<", ">Ada<");
  await press(page, "Count");
  await expect(page.getByTestId("count")).toHaveText("2, 4");
  await press(page, "Name");
  await expect(page.getByTestId("names")).toHaveText("Ada, Grace");
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
