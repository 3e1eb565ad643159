export { domAnimation as default } from "motion/react";
