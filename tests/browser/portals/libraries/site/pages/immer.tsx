import { current, produce } from "immer";
import { useImmer } from "use-immer";

const frozen = produce({ tags: ["a"] }, (draft) => {
  draft.tags.push("b");
});

export default function Immer() {
  const [plan, update] = useImmer({ title: "Trip", days: [{ place: "Brest", done: false }] });
  return (
    <>
      <h1>immer</h1>
      <p data-testid="frozen">{`${frozen.tags.join("")} ${Object.isFrozen(frozen.tags)}`}</p>
      <p data-testid="plan">{JSON.stringify(plan)}</p>
      <button
        onClick={() =>
          update((draft) => {
            for (const day of draft.days) day.done = true;
            draft.days.push({ place: `After ${current(draft).days.length}`, done: false });
          })
        }
      >
        Go on
      </button>
    </>
  );
}
