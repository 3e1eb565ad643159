// The tree around every page. The build renders it to HTML, the browser hydrates that: both must make the same bytes.
import type { ComponentType } from "react";
import type { Location, NavigationType, Navigator } from "react-router";
import { Router, UNSAFE_RouteContext as RouteContext } from "react-router";
import { Layout } from "portalgen:site";
import { Boundary, Passage } from "portalgen:boundary";
import { firstEntry } from "portalgen:entries";
import { basename } from "portalgen:paths";

/** What is on show: a page, and the address that its components see. */
export interface View {
  /** Empty for the not-found page. */
  route: string;
  Page: ComponentType;
  location: Location;
  action: NavigationType;
}

/** Renders `view`. Without `isStatic` its links call `navigator`. */
export function Portal({ view, navigator, isStatic }: { view: View; navigator: Navigator; isStatic: boolean }) {
  const { route, Page, location, action } = view;
  return (
    <Router basename={basename} location={location} navigationType={action} navigator={navigator} static={isStatic}>
      <Layout>
        <RouteContext.Provider value={contextOf(location.pathname)}>
          {/* Routes that share a component are still pages of their own. */}
          <Passage>
            <Boundary key={route}>
              <Page />
            </Boundary>
          </Passage>
        </RouteContext.Provider>
      </Layout>
    </Router>
  );
}

/**
 * Stands for the `<Route>` that the page would have, so that relative links start from the page. The real one brings
 * along the router's matching, which a portal of fixed paths does not need.
 */
function contextOf(pathname: string) {
  const path = pathname.slice(basename.length - 1);
  const match = { params: {}, pathname: path, pathnameBase: path, route: { path } };
  return { outlet: null, matches: [match], isDataRoute: false };
}

/** The address that components see while a page is prerendered and hydrated: the route's, without query and hash. */
export function plainLocation(pathname: string): Location {
  return { pathname, search: "", hash: "", ...firstEntry };
}
