import { useState } from "react";
import { useForm } from "@tanstack/react-form";

export default function TanstackForm() {
  const [sent, setSent] = useState("");
  const form = useForm({
    defaultValues: { name: "Ada" },
    onSubmit: ({ value }) => setSent(value.name),
  });
  return (
    <>
      <h1>TanStack Form</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void form.handleSubmit();
        }}
      >
        <form.Field name="name" validators={{ onChange: ({ value }) => (value ? undefined : "A name is needed") }}>
          {(field) => (
            <>
              <input
                aria-label="Name"
                value={field.state.value}
                onChange={(event) => field.handleChange(event.target.value)}
              />
              <em>{field.state.meta.errors.join()}</em>
            </>
          )}
        </form.Field>
        <button>Send</button>
      </form>
      <output>{sent}</output>
    </>
  );
}
