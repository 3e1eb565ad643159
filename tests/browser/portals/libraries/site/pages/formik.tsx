import { useState } from "react";
import { ErrorMessage, Field, Form, Formik } from "formik";
import * as yup from "yup";

const schema = yup.object({
  email: yup.string().email("Not an address").required("Needed"),
});

export default function FormikPage() {
  const [sent, setSent] = useState("");
  return (
    <>
      <h1>Formik</h1>
      <Formik initialValues={{ email: "" }} validationSchema={schema} onSubmit={({ email }) => setSent(email)}>
        <Form>
          <Field name="email" aria-label="E-mail" />
          <ErrorMessage name="email" component="em" />
          <button type="submit">Send</button>
        </Form>
      </Formik>
      <output>{sent}</output>
    </>
  );
}
