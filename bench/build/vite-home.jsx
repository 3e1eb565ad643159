import Home from "../components/Home.jsx";

export default () => <Home title="Harbour news" />;
