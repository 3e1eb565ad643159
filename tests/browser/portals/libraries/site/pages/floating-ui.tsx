import { useState } from "react";
import { autoUpdate, flip, offset, shift, useClick, useDismiss, useFloating, useInteractions } from "@floating-ui/react";

export default function FloatingUi() {
  const [open, setOpen] = useState(false);
  const { refs, floatingStyles, context, placement } = useFloating({
    open,
    onOpenChange: setOpen,
    placement: "top",
    middleware: [offset(8), flip(), shift()],
    whileElementsMounted: autoUpdate,
  });
  const { getReferenceProps, getFloatingProps } = useInteractions([useClick(context), useDismiss(context)]);
  return (
    <>
      <button ref={refs.setReference} {...getReferenceProps()}>
        Details
      </button>
      {open && (
        <div ref={refs.setFloating} style={floatingStyles} data-placement={placement} {...getFloatingProps()}>
          Beside the button
        </div>
      )}
      <h1>Floating UI</h1>
    </>
  );
}
