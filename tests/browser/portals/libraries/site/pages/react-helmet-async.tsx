import { useState } from "react";
import { Helmet, HelmetProvider } from "react-helmet-async";

export default function ReactHelmetAsync() {
  const [colour, setColour] = useState("#004488");
  return (
    <HelmetProvider>
      <Helmet htmlAttributes={{ "data-theme": "sea" }}>
        <meta name="theme-color" content={colour} />
        <link rel="help" href="../metadata/" />
      </Helmet>
      <h1>react-helmet-async</h1>
      <button onClick={() => setColour("#882200")}>Red</button>
    </HelmetProvider>
  );
}
