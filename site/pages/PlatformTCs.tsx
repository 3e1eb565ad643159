import { LegalDocument } from "../components/LegalDocument";
import { sections, summary } from "../content/terms";

export default function PlatformTerms() {
  return (
    <LegalDocument
      scene="dividers"
      title="平台条款"
      version="示例版本 1.0"
      since="2026 年 1 月 1 日起适用"
      summary={summary}
      sections={sections}
    />
  );
}
