// Components that only browsers have: for what needs a document as soon as it is imported.
import { type ComponentType, type ReactNode, useEffect, useState } from "react";

/**
 * A component that is loaded in the browser, after the page around it works. Until then `fallback` shows, in the
 * prerendered page too.
 */
export function clientOnly<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  return function ClientOnly(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props>>();
    const [failure, setFailure] = useState<{ error: unknown }>();
    useEffect(() => {
      let isGone = false;
      load().then(
        ({ default: component }) => isGone || setLoaded(() => component),
        (error: unknown) => isGone || setFailure({ error }),
      );
      return () => {
        isGone = true;
      };
    }, []);
    // The nearest error boundary is told, as with `lazy`.
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : fallback;
  };
}
