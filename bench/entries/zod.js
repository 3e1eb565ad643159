import { z } from "zod";

const Person = z.object({ name: z.string().min(1), age: z.number().int().optional(), tags: z.array(z.string()) });

export const read = (value) => Person.safeParse(value);
