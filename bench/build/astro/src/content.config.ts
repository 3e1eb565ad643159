import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const articles = defineCollection({
  loader: glob({ pattern: "*.json", base: "./src/articles" }),
  schema: z.object({
    title: z.string(),
    heading: z.string(),
    lead: z.string(),
    sections: z.array(z.object({ heading: z.string(), text: z.string() })),
    related: z.array(z.number()),
  }),
});

export const collections = { articles };
