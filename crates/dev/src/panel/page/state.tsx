// What the panel knows and does: the list of the server, drafts, and what came of the last wish.
import { useCallback, useEffect, useRef, useState } from "react";
import { type Drafts, type RouteDrafts, settled, wanted, without, withText } from "portalgen:panel/drafts";
import type { Finding, Judged, Key, Language, List, Outcome, Route } from "portalgen:panel/protocol";
import { type Sentences, sentencesIn } from "portalgen:panel/sentences";
import { askForList, judge, listen, save, undo } from "portalgen:panel/server";

/** How long to wait for the next key before drafts are judged, in milliseconds. */
const pause = 120;

/** What came of the last wish. */
export interface Notice {
  text: string;
  /** Why it was refused, and for which route. */
  refused?: { path: string | undefined; findings: Finding[] };
}

export interface Panel {
  list: List | undefined;
  drafts: Drafts;
  notice: Notice | undefined;
  isAway: boolean;
  isBusy: boolean;
  type: (route: Route, key: Key, text: string) => void;
  discard: (path: string) => void;
  save: (route: Route) => void;
  undo: () => void;
}

export function usePanel(language: Language): Panel {
  const words = sentencesIn(language);
  const [list, take] = useList(language);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [notice, setNotice] = useState<Notice>();
  const [isBusy, setBusy] = useState(false);
  const [isAway, setAway] = useState(false);
  const refresh = take.refresh;

  useEffect(() => listen({ changed: refresh, showAway: setAway }), [refresh]);
  useEffect(() => {
    if (list) setDrafts((drafts) => settled(drafts, list));
  }, [list]);
  useWarning(Object.keys(drafts).length > 0);

  const wish = async (path: string | undefined, ask: Promise<Outcome>, say: (outcome: Outcome) => string) => {
    setBusy(true);
    try {
      const outcome = await take.from(ask);
      const isRefused = outcome.refused.length > 0;
      if (path !== undefined && !isRefused) setDrafts((drafts) => without(drafts, path));
      setNotice({ text: say(outcome), ...(isRefused ? { refused: { path, findings: outcome.refused } } : {}) });
    } catch {
      setNotice({ text: words.failed });
    } finally {
      setBusy(false);
    }
  };

  return {
    list,
    drafts,
    notice,
    isAway,
    isBusy,
    type: (route, key, text) => setDrafts((drafts) => withText(drafts, route, key, text)),
    discard: (path) => {
      setDrafts((drafts) => without(drafts, path));
      setNotice(undefined);
    },
    save: (route) => {
      const texts = wanted(route, drafts[route.path] ?? {});
      if (isBusy || texts.length === 0) return;
      void wish(route.path, save(route.path, texts, language), (outcome) => afterSaving(outcome, words));
    },
    undo: () => {
      if (!isBusy && list?.undo) void wish(undefined, undo(language), (outcome) => afterUndoing(outcome, words));
    },
  };
}

function named({ changes }: Outcome, words: Sentences): string {
  return changes.map(words.change).join(", ");
}

function afterSaving(outcome: Outcome, words: Sentences): string {
  if (outcome.refused.length > 0) return words.refused;
  return outcome.changes.length > 0 ? words.saved(named(outcome, words)) : words.unchanged;
}

function afterUndoing(outcome: Outcome, words: Sentences): string {
  return outcome.refused.length > 0 ? words.notUndone : words.undone(named(outcome, words));
}

interface Take {
  /** Asks for the list. */
  refresh: () => void;
  /** Takes the list of an answer. */
  from: (ask: Promise<Outcome>) => Promise<Outcome>;
}

/** The list as it was asked for last: answers may overtake each other. */
function useList(language: Language): [List | undefined, Take] {
  const [list, setList] = useState<List>();
  const asked = useRef(0);
  const shown = useRef(0);
  const show = useCallback((number: number, list: List) => {
    if (number < shown.current) return;
    shown.current = number;
    setList(list);
  }, []);
  const refresh = useCallback(() => {
    const number = ++asked.current;
    // Without a server there is nothing new; that it is away is said elsewhere.
    askForList(language).then((list) => show(number, list), () => {});
  }, [language, show]);
  const from = async (ask: Promise<Outcome>) => {
    const outcome = await ask;
    if ("list" in outcome) show(++asked.current, outcome.list);
    return outcome;
  };
  useEffect(refresh, [refresh]);
  return [list, { refresh, from }];
}

/** Has the browser ask before what was typed is lost. */
function useWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isNeeded]);
}

/** What the server says of the drafts of a route. */
export function useJudgement(route: Route, drafts: RouteDrafts, language: Language): Partial<Record<Key, Judged>> {
  const [judged, setJudged] = useState<Partial<Record<Key, Judged>>>({});
  const texts = JSON.stringify(wanted(route, drafts));
  useEffect(() => {
    const abort = new AbortController();
    const asked = wanted(route, drafts);
    const ask = () =>
      judge(route.path, asked, language, abort.signal).then(
        ({ drafts }) => setJudged(Object.fromEntries(drafts.map((draft, number) => [asked[number]!.key, draft]))),
        () => {},
      );
    const timer = asked.length > 0 ? setTimeout(ask, pause) : setJudged({});
    return () => {
      clearTimeout(timer as ReturnType<typeof setTimeout> | undefined);
      abort.abort();
    };
    // Another text, route or language is another question; the file may have changed, too.
  }, [texts, route, language]);
  return judged;
}
