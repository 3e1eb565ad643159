import { Link, useLocation } from "react-router-dom";

/** As people write them in code: encoded once, or not at all where that means the same. */
export const paths = [
  "/odd",
  "/a b",
  "/c%23",
  "/100%25",
  "/a+b",
  "/x@y",
  "/legal.html",
  "/apples-&-oranges",
  "/it's/{1}",
  "/café",
];

export default function Odd() {
  const { pathname } = useLocation();
  return (
    <>
      <h1>{pathname}</h1>
      <nav>
        {paths.map((path) => (
          <Link key={path} to={path}>
            {path}
          </Link>
        ))}
      </nav>
    </>
  );
}
