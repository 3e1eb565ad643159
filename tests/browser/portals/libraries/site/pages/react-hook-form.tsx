import { useState } from "react";
import { useFieldArray, useForm } from "react-hook-form";

interface Order {
  name: string;
  lines: { article: string }[];
}

export default function ReactHookForm() {
  const [sent, setSent] = useState<Order>();
  const { control, register, handleSubmit, formState } = useForm<Order>({
    defaultValues: { name: "", lines: [{ article: "Paper" }] },
  });
  const { fields, append } = useFieldArray({ control, name: "lines" });
  return (
    <>
      <h1>react-hook-form</h1>
      <form onSubmit={(event) => void handleSubmit(setSent)(event)}>
        <label>
          Name <input {...register("name", { required: "A name is needed", minLength: 2 })} />
        </label>
        {formState.errors.name && <p role="alert">{formState.errors.name.message}</p>}
        {fields.map((field, index) => (
          <input key={field.id} aria-label={`Article ${index + 1}`} {...register(`lines.${index}.article`)} />
        ))}
        <button type="button" onClick={() => append({ article: "Ink" })}>
          Another
        </button>
        <button>Send</button>
      </form>
      <output>{sent && JSON.stringify(sent)}</output>
    </>
  );
}
