// The articles of the sites that `../build.mjs` has built: about a kilobyte each, made up from a seed.

import { Random } from "../site.mjs";

/** The first `count` articles. */
export function articles(count) {
  return Array.from({ length: count }, (_, index) => article(index + 1, count));
}

function article(id, count) {
  const random = new Random(id);
  const sentence = (words) => `${capital(random.words(words))}.`;
  const section = (n) => ({ heading: `${n}. ${capital(random.words(3))}`, text: sentence(28) });
  return {
    id,
    title: `Article ${id}: ${random.words(3)}`,
    content: {
      heading: capital(random.words(4)),
      lead: sentence(16),
      sections: [1, 2, 3].map(section),
      related: random.sample(3, count).map((index) => index + 1),
    },
  };
}

/** What somebody changes about an article: its title. `number` tells one such edit from another. */
export function withTitle(article, number) {
  return { ...article, title: `Article ${article.id}: edited${number}` };
}

/** One word of an article's text. */
export function withWord(article, number) {
  const lead = article.content.lead.replace(/^\S+/, `Edited${number}`);
  return { ...article, content: { ...article.content, lead } };
}

export const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const capital = (text) => text[0].toUpperCase() + text.slice(1);
