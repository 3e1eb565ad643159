import { useState } from "react";
import { OTPInput } from "input-otp";

export default function InputOtp() {
  const [code, setCode] = useState("");
  return (
    <>
      <h1>input-otp</h1>
      <OTPInput
        aria-label="Code"
        maxLength={4}
        onComplete={setCode}
        render={({ slots }) => (
          <div data-testid="slots">
            {slots.map((slot, index) => (
              <span key={index}>{slot.char ?? "-"}</span>
            ))}
          </div>
        )}
      />
      <output>{code}</output>
    </>
  );
}
