import { Link } from "react-router-dom";
import { loginFrom, paths, signUpFrom } from "../paths";
import { Brand } from "./Brand";
import { Text } from "./Text";
import "./SiteFooter.css";

const groups = [
  {
    title: "认识蓝屿",
    links: [
      { to: paths.product, label: "产品导览" },
      { to: paths.papers, label: "白皮书" },
      { to: paths.about, label: "关于我们" },
    ],
  },
  {
    title: "账号与帮助",
    links: [
      { to: loginFrom("footer"), label: "登录" },
      { to: signUpFrom("footer"), label: "注册" },
      { to: paths.reset, label: "重置密码" },
      { to: paths.faq, label: "常见问题" },
    ],
  },
  {
    title: "条款",
    links: [
      { to: paths.privacy, label: "隐私政策" },
      { to: paths.terms, label: "平台条款" },
    ],
  },
];

export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="site-footer-row">
        <div className="site-footer-brand">
          <Brand />
          <p>信息如海，蓝屿有岸。</p>
        </div>
        <nav className="site-footer-nav" aria-label="页脚导航">
          {groups.map(({ title, links }) => (
            <div key={title}>
              <p className="site-footer-title">{title}</p>
              <ul>
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link className="site-footer-link" to={to}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <p className="site-footer-note">
        <Text>蓝屿是为演示而虚构的产品，本站的条款、白皮书与联系方式均为示例。</Text>
      </p>
    </footer>
  );
}
