import { useState } from "react";
import { QRCodeSVG } from "qrcode.react";

export default function Qrcode() {
  const [address, setAddress] = useState("https://portal.example");
  return (
    <>
      <h1>qrcode.react</h1>
      <QRCodeSVG value={address} title={address} />
      <button onClick={() => setAddress(`${address}/a/longer/address/that/needs/more/modules`)}>Longer</button>
    </>
  );
}
