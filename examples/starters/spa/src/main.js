const app = document.querySelector("#app");
app.textContent = "Hello Vite!";
