import { Link, NavLink } from "react-router-dom";
import { product } from "portalgen:portal";
import { Arch } from "./Arch";

export function Header() {
  return (
    <header className="header wrap">
      <Link className="brand" to="/">
        <Arch className="brand-mark" />
        {product}
      </Link>
      <nav className="nav" aria-label="主导航">
        <NavLink className="nav-link" to="/about">
          关于我们
        </NavLink>
        <Link className="nav-link" to="/login">
          登录
        </Link>
      </nav>
    </header>
  );
}
