import { useRef, useState } from "react";
import { CSSTransition, TransitionGroup } from "react-transition-group";

/** The group says through `transition` when an item comes and goes. */
function Item({ number, ...transition }: { number: number }) {
  const node = useRef<HTMLLIElement>(null);
  return (
    <CSSTransition nodeRef={node} timeout={50} classNames="fade" {...transition}>
      <li ref={node}>Item {number}</li>
    </CSSTransition>
  );
}

export default function ReactTransitionGroup() {
  const [open, setOpen] = useState(false);
  const [items, setItems] = useState([1]);
  const node = useRef<HTMLParagraphElement>(null);
  return (
    <>
      <h1>react-transition-group</h1>
      <CSSTransition nodeRef={node} in={open} timeout={50} classNames="fade" unmountOnExit>
        <p ref={node}>Note</p>
      </CSSTransition>
      <TransitionGroup component="ul">
        {items.map((item) => (
          <Item key={item} number={item} />
        ))}
      </TransitionGroup>
      <button onClick={() => setOpen(!open)}>Toggle</button>
      <button onClick={() => setItems([...items.slice(1), items.length + 2])}>Next</button>
    </>
  );
}
