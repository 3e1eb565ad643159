// The language of the panel: that of the messages, unless the editor has chosen another one.
import { createContext, useContext, useEffect, useState } from "react";
import type { Language } from "portalgen:panel/protocol";
import { type Sentences, sentencesIn } from "portalgen:panel/sentences";

const memory = "portalgen-panel-language";

/** Everything that is said. */
export const Words = createContext<Sentences>(sentencesIn("en"));

export function useWords(): Sentences {
  return useContext(Words);
}

/** The language, and what switches to the other one. */
export function useLanguage(usual: Language): [Language, () => void] {
  const [language, setLanguage] = useState(() => remembered() ?? usual);
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    document.title = `${sentencesIn(language).name} – portalgen dev`;
  }, [language]);
  const change = () => {
    const other = language === "zh" ? "en" : "zh";
    setLanguage(other);
    remember(other);
  };
  return [language, change];
}

// Browsers may forbid to remember anything.
function remembered(): Language | undefined {
  try {
    const name = localStorage.getItem(memory);
    return name === "en" || name === "zh" ? name : undefined;
  } catch {
    return undefined;
  }
}

function remember(language: Language) {
  try {
    localStorage.setItem(memory, language);
  } catch {
    // Then it is for this visit only.
  }
}
