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
      <nav className="nav" aria-label="Main">
        <NavLink className="nav-link" to="/about">
          About us
        </NavLink>
        <Link className="nav-link" to="/login">
          Sign in
        </Link>
      </nav>
    </header>
  );
}
