import { LegalDocument } from "../components/LegalDocument";
import { sections, summary } from "../content/privacy";

export default function PrivacyPolicy() {
  return (
    <LegalDocument
      scene="harbour"
      title="隐私政策"
      version="示例版本 1.0"
      since="2026 年 1 月 1 日起适用"
      summary={summary}
      sections={sections}
    />
  );
}
