import { useEffect, useState } from "react";
import { map, merge, scan, Subject } from "rxjs";

const up = new Subject<void>();
const down = new Subject<void>();
const level = merge(up.pipe(map(() => 1)), down.pipe(map(() => -1))).pipe(scan((level, step) => level + step, 0));

export default function Rxjs() {
  const [value, setValue] = useState(0);
  useEffect(() => {
    const subscription = level.subscribe(setValue);
    return () => subscription.unsubscribe();
  }, []);
  return (
    <>
      <h1>RxJS</h1>
      <button onClick={() => up.next()}>Up</button>
      <button onClick={() => down.next()}>Down</button>
      <output>{value}</output>
    </>
  );
}
