// The not-found page of a site without `pages/404.tsx`.
export default function NotFound() {
  return <h1>404</h1>;
}
