import i18next from "i18next";
import { initReactI18next, Trans, useTranslation } from "react-i18next";

const en = {
  title: "Welcome",
  letters_one: "{{count}} letter",
  letters_other: "{{count}} letters",
  hint: "Read <b>this</b> first",
};
const zh = { title: "欢迎", letters_other: "{{count}} 封信", hint: "请先读<b>这个</b>" };

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: en }, zh: { translation: zh } },
  interpolation: { escapeValue: false },
});

export default function I18next() {
  const { t, i18n } = useTranslation();
  return (
    <>
      <h1>{t("title")}</h1>
      <p data-testid="one">{t("letters", { count: 1 })}</p>
      <p data-testid="many">{t("letters", { count: 5 })}</p>
      <p data-testid="hint">
        <Trans i18nKey="hint" components={{ b: <strong /> }} />
      </p>
      <button onClick={() => void i18n.changeLanguage("zh")}>中文</button>
    </>
  );
}
