import { useState } from "react";
import { FormattedDate, FormattedMessage, FormattedNumber, IntlProvider } from "react-intl";

const messages = {
  en: { letters: "{count, plural, one {# letter} other {# letters}} for <b>{name}</b>" },
  zh: { letters: "<b>{name}</b>有 {count} 封信" },
};

export default function ReactIntl() {
  const [locale, setLocale] = useState<"en" | "zh">("en");
  return (
    <IntlProvider locale={locale} messages={messages[locale]} timeZone="UTC">
      <h1>React Intl</h1>
      <p data-testid="letters">
        <FormattedMessage id="letters" values={{ name: "Ada", count: 2, b: (text) => <b>{text}</b> }} />
      </p>
      <p data-testid="price">
        <FormattedNumber value={1234.5} style="currency" currency="EUR" />
      </p>
      <p data-testid="date">
        <FormattedDate value={0} dateStyle="long" />
      </p>
      <button onClick={() => setLocale("zh")}>中文</button>
    </IntlProvider>
  );
}
