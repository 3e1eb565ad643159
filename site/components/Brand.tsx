import { Link } from "react-router-dom";
import { paths } from "../paths";
import "./Brand.css";

/** The island inside its depth contour, and the name beside it; leads home. */
export function Brand() {
  return (
    <Link className="brand" to={paths.home} aria-label="蓝屿，首页">
      <svg className="brand-mark" viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
        <path
          className="brand-depth"
          d="M16 1.5c8.5 0 14.5 6 14.5 14 0 8.600-6 15-14.300 15C7.5 30.5 1.5 24.300 1.5 16.200 1.5 7.700 7.5 1.5 16 1.5z"
        />
        <path
          className="brand-shoal"
          d="M16.5 5.300c6.300 0 10.300 4.200 10.300 9.900 0 6.5-4.400 11.300-10.700 11.300-6.200 0-10.600-4.300-10.600-10.200 0-6.300 4.700-11 11-11z"
        />
        <path
          className="brand-land"
          d="M17.700 9c4.200.3 6.300 3.400 5.600 6.900-.5 3.100.8 6-2.5 7.400-2.5 1.100-4.400-1.300-7-1.200-3.300.1-5.700-2.400-4.800-5.600C10.200 12.700 13.400 8.700 17.700 9z"
        />
      </svg>
      <span className="brand-name">蓝屿</span>
    </Link>
  );
}
