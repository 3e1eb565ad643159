// Places in sources, as buttons that open the editor.
import type { Place } from "../protocol";
import type { Sentences } from "../sentences";
import { icon, make } from "./dom";

/** Shows a place: as a button if there is an `id` to open it by. */
export type PlaceButton = (place: Place, id: string | undefined) => HTMLElement;

export function written({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** Buttons that call `open`. */
export function placeButtons(sentences: Sentences, open: (id: string) => void): PlaceButton {
  return (place, id) => {
    const text = written(place);
    if (!id) return make("span", { class: "place" }, ...breakable(text));
    const label = sentences.openPlace(text);
    const attributes = { class: "place", type: "button", "aria-label": label, title: label, "data-key": `place ${id}`, click: () => open(id) };
    return make("button", attributes, make("span", {}, ...breakable(text)), icon("M6 3.5H3.5v9h9V10M9 3h4v4M12.5 3.5 7.5 8.5"));
  };
}

/** A path that breaks behind its folders, if there is room enough. */
export function breakable(path: string): Node[] {
  return path.split(/(?<=\/)/).flatMap((part) => [new Text(part), make("wbr")]);
}
