import { Accordion, Button } from "react-bootstrap";

export default function ReactBootstrap() {
  return (
    <>
      <h1>React Bootstrap</h1>
      <Button variant="outline-primary">Button</Button>
      <Accordion defaultActiveKey="0">
        {["First", "Second"].map((name, index) => (
          <Accordion.Item key={name} eventKey={String(index)}>
            <Accordion.Header>{name}</Accordion.Header>
            <Accordion.Body>{name} text</Accordion.Body>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}
