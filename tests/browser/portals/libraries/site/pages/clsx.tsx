import { useState } from "react";
import classNames from "classnames";
import clsx from "clsx";

export default function Clsx() {
  const [on, setOn] = useState(false);
  return (
    <>
      <h1>clsx and classnames</h1>
      <p data-testid="clsx" className={clsx("lamp", { lit: on }, [on ? "warm" : null, "large"])}>
        clsx
      </p>
      <p data-testid="classnames" className={classNames("lamp", { lit: on }, ["large"])}>
        classnames
      </p>
      <button onClick={() => setOn(!on)}>Switch</button>
    </>
  );
}
