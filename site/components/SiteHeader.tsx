import { useEffect, useRef } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { loginFrom, paths, signUpFrom } from "../paths";
import { Brand } from "./Brand";
import "./SiteHeader.css";

const pages = [
  { to: paths.product, label: "产品导览" },
  { to: paths.papers, label: "白皮书" },
  { to: paths.faq, label: "常见问题" },
  { to: paths.about, label: "关于我们" },
];

/**
 * One list of links for every width: a plain row where there is room, a popover
 * where there is not. The browser itself opens the popover, moves focus and
 * closes it on Escape, so the menu works with scripts off.
 */
export function SiteHeader() {
  const menu = useRef<HTMLElement>(null);
  const location = useLocation();

  // A link inside the popover does not dismiss it; without scripts the next page does.
  // The call is optional because older browsers have no popovers: there the menu is always open.
  useEffect(() => menu.current?.hidePopover?.(), [location]);

  return (
    <header className="site-header">
      <div className="site-header-row">
        <Brand />
        <nav className="site-nav" id="site-nav" popover="auto" ref={menu} aria-label="主导航">
          <ul className="site-nav-list">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavLink className="site-nav-link" to={to}>
                  {label}
                </NavLink>
              </li>
            ))}
            <li className="site-nav-login">
              <Link className="site-nav-link" to={loginFrom("header")}>
                登录
              </Link>
            </li>
          </ul>
        </nav>
        <Link className="button button-small" to={signUpFrom("header")}>
          注册
        </Link>
        <button className="menu-button" type="button" popoverTarget="site-nav" aria-label="菜单">
          <span className="menu-icon" aria-hidden="true" />
        </button>
      </div>
    </header>
  );
}
