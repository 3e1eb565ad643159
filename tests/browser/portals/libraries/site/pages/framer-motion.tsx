import { useState } from "react";
import { AnimatePresence, motion, useMotionValue, useTransform } from "framer-motion";

const variants = { closed: { opacity: 0, height: 0 }, open: { opacity: 1, height: 40 } };

export default function FramerMotion() {
  const [open, setOpen] = useState(false);
  const x = useMotionValue(0);
  const shown = useTransform(x, (value) => Math.round(value));
  return (
    <>
      <h1>framer-motion</h1>
      <motion.div data-testid="box" initial={{ opacity: 0.5, x: 10 }} animate={{ opacity: 1, x: 40 }} />
      <AnimatePresence>
        {open && (
          <motion.p key="answer" variants={variants} initial="closed" animate="open" exit="closed">
            Answer
          </motion.p>
        )}
      </AnimatePresence>
      <motion.output>{shown}</motion.output>
      <button onClick={() => setOpen(!open)}>Toggle</button>
      <button onClick={() => x.set(41.6)}>Move</button>
    </>
  );
}
