import { useState } from "react";
import { ErrorBoundary } from "react-error-boundary";

function Part({ broken }: { broken: boolean }) {
  if (broken) throw new Error("The part is broken");
  return <p>The part is fine</p>;
}

export default function ErrorBoundaryPage() {
  const [broken, setBroken] = useState(false);
  return (
    <>
      <h1>react-error-boundary</h1>
      <button onClick={() => setBroken(true)}>Break</button>
      <ErrorBoundary
        fallbackRender={({ resetErrorBoundary }) => <button onClick={resetErrorBoundary}>Again</button>}
        onReset={() => setBroken(false)}
      >
        <Part broken={broken} />
      </ErrorBoundary>
    </>
  );
}
