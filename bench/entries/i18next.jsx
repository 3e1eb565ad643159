import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";

export const ready = i18next.use(initReactI18next).init({
  lng: "en",
  resources: {
    en: { translation: { greeting: "Hello, {{name}}" } },
    zh: { translation: { greeting: "你好，{{name}}" } },
  },
});

export function Greeting({ name }) {
  const { t, i18n } = useTranslation();
  return <p onClick={() => i18n.changeLanguage("zh")}>{t("greeting", { name })}</p>;
}
