// The look of the overlay. Sizes follow the reader's font size, and every pair of colours has a contrast of at least 4.5.

export const css = `
:host {
  all: initial !important;
  --surface: #ffffff;
  --raised: #f6f7f9;
  --hover: #eceef2;
  --text: #1a1d23;
  --muted: #57606f;
  --line: #dfe2e8;
  --link: #0b57d0;
  --error: #b3261e;
  --error-soft: #fdeceb;
  --error-mark: #f9cfcc;
  --warning: #7a4b00;
  --warning-soft: #fdf1d8;
  --warning-mark: #f7dfa6;
  --note: #37546d;
  --note-soft: #e8eff6;
  --note-mark: #c9dcee;
  --added: #1a6334;
  --added-soft: #e7f5eb;
  --added-mark: #b9e4c5;
  --scrim: rgb(18 21 28 / 46%);
  --shadow: 0 0 0 1px rgb(18 21 28 / 8%), 0 24px 64px -12px rgb(18 21 28 / 36%);
  --pill-shadow: 0 0 0 1px rgb(18 21 28 / 10%), 0 4px 16px -2px rgb(18 21 28 / 22%);
  --mono: ui-monospace, "SF Mono", SFMono-Regular, "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  color-scheme: light dark !important;
  direction: ltr !important;
  font: 400 medium/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif !important;
}

@media (prefers-color-scheme: dark) {
  :host {
    --surface: #191b20;
    --raised: #121418;
    --hover: #262a31;
    --text: #e8eaef;
    --muted: #a5adbb;
    --line: #31353e;
    --link: #8ab4f8;
    --error: #ff8f87;
    --error-soft: #3b1d1d;
    --error-mark: #6b2a28;
    --warning: #f3c262;
    --warning-soft: #352a14;
    --warning-mark: #5d481a;
    --note: #a9c7e4;
    --note-soft: #1d2a37;
    --note-mark: #2f4960;
    --added: #83d39c;
    --added-soft: #16291d;
    --added-mark: #245236;
    --scrim: rgb(0 0 0 / 62%);
    --shadow: 0 0 0 1px rgb(255 255 255 / 10%), 0 24px 64px -12px rgb(0 0 0 / 70%);
    --pill-shadow: 0 0 0 1px rgb(255 255 255 / 14%), 0 4px 16px -2px rgb(0 0 0 / 60%);
  }
}

*,
::before,
::after {
  box-sizing: border-box;
  margin: 0;
  padding: 0;
}

[hidden] {
  display: none !important;
}

button {
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  text-align: start;
  cursor: pointer;
}

:focus-visible {
  outline: 2px solid var(--link);
  outline-offset: 2px;
}

ol,
ul {
  list-style: none;
}

code,
pre,
.place,
.where {
  font-family: var(--mono);
}

.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.muted {
  color: var(--muted);
}

.error,
dialog.error {
  --tone: var(--error);
  --tone-soft: var(--error-soft);
  --tone-mark: var(--error-mark);
}

.warning,
dialog.warning {
  --tone: var(--warning);
  --tone-soft: var(--warning-soft);
  --tone-mark: var(--warning-mark);
}

.note,
dialog.note {
  --tone: var(--note);
  --tone-soft: var(--note-soft);
  --tone-mark: var(--note-mark);
}

.dot {
  flex: none;
  width: 0.55em;
  height: 0.55em;
  border-radius: 50%;
  background: var(--tone, var(--muted));
}

/* Badge */

.badge {
  position: fixed;
  z-index: 2147483647;
  inset: auto auto 16px 16px;
  display: flex;
  flex-direction: column;
  align-items: flex-start;
  gap: 8px;
  max-width: calc(100vw - 32px);
  pointer-events: none;
}

.pill {
  display: flex;
  align-items: center;
  gap: 8px;
  min-height: 34px;
  padding: 5px 14px 5px 12px;
  border: 1px solid transparent;
  border-radius: 17px;
  background: var(--surface);
  box-shadow: var(--pill-shadow);
  color: var(--text);
  font-size: 0.8125em;
  font-weight: 500;
  pointer-events: auto;
}

.pill.away {
  color: var(--muted);
  font-weight: 400;
}

button.pill:hover {
  background: var(--hover);
}

.away .dot {
  animation: wait 1.6s ease-in-out infinite;
}

@keyframes wait {
  50% {
    opacity: 0.25;
  }
}

/* Dialog */

dialog {
  width: 100%;
  max-width: none;
  height: 100%;
  max-height: none;
  padding: min(7vh, 64px) 24px 24px;
  border: 0;
  overflow: hidden;
  background: none;
  color: var(--text);
}

dialog::backdrop {
  background: var(--scrim);
}

.panel {
  position: relative;
  display: flex;
  flex-direction: column;
  width: 100%;
  max-width: 960px;
  max-height: 100%;
  margin: 0 auto;
  border-radius: 12px;
  overflow: hidden;
  background: var(--surface);
  box-shadow: var(--shadow);
  font-size: 0.9375em;
}

.panel::before {
  content: "";
  flex: none;
  height: 3px;
  background: var(--tone);
}

dialog[open] .panel {
  animation: appear 140ms ease-out;
}

@keyframes appear {
  from {
    opacity: 0;
    transform: translateY(-6px);
  }
}

.bar {
  flex: none;
  display: flex;
  align-items: center;
  gap: 12px;
  min-height: 48px;
  padding: 4px 8px 4px 24px;
  border-bottom: 1px solid var(--line);
}

.title {
  min-width: 0;
  margin-inline-end: auto;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  color: var(--muted);
  font-size: 0.8667em;
  font-weight: 500;
}

.pager {
  display: flex;
  align-items: center;
}

.position {
  min-width: 4.5em;
  color: var(--muted);
  font-size: 0.8667em;
  font-variant-numeric: tabular-nums;
  text-align: center;
}

.bar button {
  display: grid;
  place-items: center;
  width: 36px;
  height: 36px;
  border-radius: 8px;
  color: var(--muted);
}

.bar button:hover {
  background: var(--hover);
  color: var(--text);
}

.bar svg {
  width: 18px;
  height: 18px;
}

.body {
  flex: 1;
  display: flex;
  min-height: 0;
}

nav {
  flex: none;
  width: 272px;
  padding: 8px;
  overflow-y: auto;
  overscroll-behavior: contain;
  border-inline-end: 1px solid var(--line);
  background: var(--raised);
}

nav button {
  display: flex;
  gap: 10px;
  width: 100%;
  padding: 8px 10px;
  border: 1px solid transparent;
  border-radius: 8px;
  font-size: 0.8667em;
  line-height: 1.4;
}

nav button:focus-visible {
  outline-offset: -2px;
}

nav button .dot {
  margin-top: 0.42em;
}

nav button:hover {
  background: var(--hover);
}

nav [aria-current="true"] {
  border-color: var(--line);
  background: var(--surface);
}

.short {
  display: -webkit-box;
  overflow: hidden;
  overflow-wrap: anywhere;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
}

.where {
  display: block;
  margin-top: 2px;
  color: var(--muted);
  font-size: 0.8846em;
  overflow-wrap: anywhere;
}

.content {
  flex: 1;
  min-width: 0;
  padding: 20px 24px;
  overflow-y: auto;
  overscroll-behavior: contain;
}

article > * + * {
  margin-top: 16px;
}

.about {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 10px;
  font-size: 0.8667em;
}

.kind {
  padding: 2px 9px;
  border: 1px solid transparent;
  border-radius: 6px;
  background: var(--tone-soft);
  color: var(--tone);
  font-weight: 600;
}

article > .muted {
  font-size: 0.8667em;
}

article > h2 {
  margin-top: 10px;
  font-size: 1.2em;
  font-weight: 600;
  line-height: 1.4;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}

article > h2 + * {
  margin-top: 8px;
}

:is(h2, li, .cause, p, .related span) > code {
  padding: 0.08em 0.32em;
  border-radius: 4px;
  background: var(--hover);
  font-size: 0.9em;
  overflow-wrap: anywhere;
}

h3 {
  margin-bottom: 6px;
  color: var(--muted);
  font-size: 0.8667em;
  font-weight: 600;
}

.place {
  display: inline-block;
  max-width: 100%;
  min-height: 24px;
  font-size: 0.8667em;
  overflow-wrap: anywhere;
}

span.place {
  color: var(--muted);
}

button.place {
  border-radius: 4px;
  color: var(--link);
  text-decoration: underline;
  text-decoration-color: color-mix(in srgb, var(--link) 40%, transparent);
  text-underline-offset: 3px;
}

button.place:hover {
  text-decoration-color: currentColor;
}

.place svg {
  width: 1em;
  height: 1em;
  margin-inline-start: 5px;
  vertical-align: -0.12em;
}

.code {
  position: relative;
  padding: 10px 0;
  border: 1px solid var(--line);
  border-radius: 8px;
  overflow-x: auto;
  overscroll-behavior-x: contain;
  background: var(--raised);
  font-size: 0.8667em;
}

.code:focus-visible {
  outline-offset: -1px;
}

pre {
  width: max-content;
  min-width: 100%;
  line-height: 1.65;
  tab-size: 4;
  white-space: pre;
}

.line {
  display: block;
  padding-inline-end: 16px;
}

.code:not([style]) .line {
  padding-inline-start: 12px;
}

.number {
  position: sticky;
  left: 0;
  display: inline-block;
  width: calc(var(--digits) * 1ch + 33px);
  margin-inline-end: 12px;
  padding-inline: 16px;
  border-inline-end: 1px solid var(--line);
  background: var(--raised);
  color: var(--muted);
  text-align: end;
}

.number::before {
  content: attr(data-number);
}

.number[data-number=""]::before {
  content: "\\a0";
}

.marked,
.marked .number {
  background: var(--tone-soft);
}

.marked .number {
  color: var(--tone);
  font-weight: 600;
}

mark {
  border-radius: 3px;
  background: var(--tone-mark);
  color: inherit;
}

.room {
  visibility: hidden;
}

.room::before {
  content: attr(data-room);
}

.caret {
  color: var(--tone);
  font-weight: 700;
}

.caret::before {
  content: attr(data-carets);
}

section ul:not(.related) li {
  position: relative;
  padding-inline-start: 18px;
  overflow-wrap: anywhere;
}

section ul:not(.related) li::before {
  content: "";
  position: absolute;
  inset: 0.62em auto auto 4px;
  width: 5px;
  height: 5px;
  border-radius: 50%;
  background: var(--muted);
}

li + li {
  margin-top: 4px;
}

.related li,
.frame {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 12px;
}

.stack code {
  font-size: 0.8667em;
  overflow-wrap: anywhere;
}

.stack .frame > code {
  padding: 0;
  background: none;
}

summary {
  width: fit-content;
  min-height: 24px;
  border-radius: 4px;
  color: var(--muted);
  font-size: 0.8667em;
  cursor: pointer;
}

summary:hover {
  color: var(--text);
}

details > ol {
  margin: 4px 0 4px 5px;
  padding-inline-start: 14px;
  border-inline-start: 1px solid var(--line);
}

details > .code {
  margin-top: 8px;
}

.cause {
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}

.cause + .stack {
  margin-top: 6px;
}

.difference > * + * {
  margin-top: 12px;
}

.sides {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr));
  gap: 12px;
}

.side {
  min-width: 0;
  padding: 10px 14px 12px;
  border: 1px solid var(--line);
  border-inline-start: 3px solid var(--edge);
  border-radius: 8px;
  background: var(--soft);
}

.side.server,
.removed {
  --edge: var(--error);
  --soft: var(--error-soft);
  --tone-mark: var(--error-mark);
}

.side.client,
.added {
  --edge: var(--added);
  --soft: var(--added-soft);
  --tone-mark: var(--added-mark);
}

.side h3 {
  margin-bottom: 4px;
  color: var(--edge);
}

.side pre {
  width: auto;
  font-size: 0.8667em;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}

.added,
.removed {
  background: var(--soft);
  color: var(--edge);
}

.foot:not(:has(:empty)) {
  flex: none;
  padding: 8px 24px;
  border-top: 1px solid var(--line);
  font-size: 0.8em;
}

/* Small screens: no list, as the arrows of the bar lead to all problems. */

@media (max-width: 760px) {
  nav {
    display: none;
  }

  dialog {
    padding: 8px;
  }

  .bar {
    gap: 4px;
    padding-inline-start: 16px;
  }

  .position {
    min-width: 3.5em;
  }

  .content {
    padding: 16px;
  }

  .foot:not(:has(:empty)) {
    padding-inline: 16px;
  }

  .number {
    width: calc(var(--digits) * 1ch + 17px);
    padding-inline: 8px;
  }
}

@media (prefers-reduced-motion: reduce) {
  dialog[open] .panel,
  .away .dot {
    animation: none;
  }
}

/* The reader's own colours: what only a background told needs a border. */

@media (forced-colors: active) {
  .panel,
  .pill,
  .kind,
  nav [aria-current="true"] {
    border: 1px solid CanvasText;
  }

  nav button {
    border-color: Canvas;
  }

  nav [aria-current="true"] {
    border: 2px solid Highlight;
  }

  .dot,
  .panel::before,
  section ul:not(.related) li::before {
    forced-color-adjust: none;
    background: CanvasText;
  }

  mark {
    forced-color-adjust: none;
    background: Mark;
    color: MarkText;
  }

  .marked {
    outline: 1px solid CanvasText;
    outline-offset: -1px;
  }

  .bar button,
  button.place {
    color: LinkText;
  }
}
`;
