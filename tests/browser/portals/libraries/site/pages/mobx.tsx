import { makeAutoObservable } from "mobx";
import { observer } from "mobx-react-lite";

class Timer {
  seconds = 0;

  constructor() {
    makeAutoObservable(this);
  }

  get label() {
    return `${this.seconds} s`;
  }

  tick() {
    this.seconds += 1;
  }
}

const timer = new Timer();

const Label = observer(() => <p data-testid="label">{timer.label}</p>);

export default function Mobx() {
  return (
    <>
      <h1>MobX</h1>
      <Label />
      <button onClick={() => timer.tick()}>Tick</button>
    </>
  );
}
