import { useState } from "react";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";

const person = z.object({
  name: z.string().trim().min(2, "Too short"),
  age: z.coerce.number().int().positive("Not an age"),
});
const example = person.parse({ name: " Ada ", age: "36" });

export default function Zod() {
  const [sent, setSent] = useState<z.output<typeof person>>();
  const form = useForm({ resolver: zodResolver(person), defaultValues: { name: "", age: "" } });
  const { errors } = form.formState;
  return (
    <>
      <h1>zod</h1>
      <p data-testid="example">{JSON.stringify(example)}</p>
      <form onSubmit={(event) => void form.handleSubmit(setSent)(event)}>
        <input aria-label="Name" {...form.register("name")} />
        <input aria-label="Age" {...form.register("age")} />
        <button>Send</button>
      </form>
      <p role="alert">{[errors.name?.message, errors.age?.message].filter(Boolean).join("; ")}</p>
      <output>{sent && JSON.stringify(sent)}</output>
    </>
  );
}
