import { useForm } from "react-hook-form";

export function Form({ onSubmit }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: "" } });
  return (
    <form onSubmit={handleSubmit(onSubmit)}>
      <input {...register("name", { required: "Please give a name", maxLength: 80 })} />
      {formState.errors.name && <p role="alert">{formState.errors.name.message}</p>}
      <button type="submit">Send</button>
    </form>
  );
}
