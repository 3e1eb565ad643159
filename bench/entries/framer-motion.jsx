import { motion } from "framer-motion";

export function Card({ children }) {
  return (
    <motion.div initial={{ opacity: 0, y: 20 }} animate={{ opacity: 1, y: 0 }} whileHover={{ scale: 1.05 }}>
      {children}
    </motion.div>
  );
}
