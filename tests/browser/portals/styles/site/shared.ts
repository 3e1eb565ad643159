// Two steps from the pages to the rules: this module, and the sheet that the sheet imports.
import "./styles/shared.css";
