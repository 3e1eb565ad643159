import { useState } from "react";
import { Button, Dialog, DialogTitle, Slider, Stack, TextField, Tooltip } from "@mui/material";
import { createTheme, styled, ThemeProvider } from "@mui/material/styles";

const theme = createTheme({ palette: { primary: { main: "#00695c" } } });
const Panel = styled("section")(({ theme }) => ({ padding: theme.spacing(3) }));

export default function Mui() {
  const [name, setName] = useState("");
  const [open, setOpen] = useState(false);
  return (
    <ThemeProvider theme={theme}>
      <h1>MUI</h1>
      <Panel data-testid="panel">
        <Stack spacing={2}>
          <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />
          <Slider aria-label="Volume" defaultValue={30} />
          <Tooltip title="Greets">
            <Button variant="contained" onClick={() => setOpen(true)}>
              Greet
            </Button>
          </Tooltip>
        </Stack>
      </Panel>
      <Dialog open={open} onClose={() => setOpen(false)}>
        <DialogTitle>Hello {name}</DialogTitle>
      </Dialog>
    </ThemeProvider>
  );
}
