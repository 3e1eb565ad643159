/**
 * Every path that the pages link to: the same ones as in routes.toml, where
 * `{product}` is `Lanyu`. Kept in one place so that a renamed route is one edit.
 */
export const paths = {
  home: "/",
  product: "/LanyuAI",
  about: "/about",
  login: "/login",
  signUp: "/sign",
  reset: "/reset",
  privacy: "/privacyPolicy",
  terms: "/PlatformTCs",
  papers: "/whitePapers",
  faq: "/FAQ",
} as const;

/** Path of the sign-in page; `from` tells the chat host which link was followed. */
export const loginFrom = (from: string) => `${paths.login}?from=${from}`;

/** Path of the sign-up page; `from` tells the chat host which link was followed. */
export const signUpFrom = (from: string) => `${paths.signUp}?from=${from}`;
