import type { ErrorReport } from "portalgen:error";

declare global {
  interface Window {
    reports?: (ErrorReport & { message: string })[];
  }
}

export function onError(error: unknown, report: ErrorReport) {
  (window.reports ??= []).push({ ...report, message: String(error) });
}
