import symbols from "../assets/symbols.svg";

/** The ids in symbols.svg: drawings after the symbols of nautical charts. */
export type ChartSymbolName = "anchor" | "buoy" | "compass" | "lighthouse" | "sounding" | "quill";

/** Takes its colour and line from the style sheet. The outlines stay out of the JavaScript. */
export function ChartSymbol({ name }: { name: ChartSymbolName }) {
  return (
    <svg className="chart-symbol" width="36" height="36" aria-hidden="true">
      <use href={`${symbols}#${name}`} />
    </svg>
  );
}
