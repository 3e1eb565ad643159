import { format } from "date-fns";

export const day = (date) => format(date, "yyyy-MM-dd");
