from html import escape

from doorward.fastapi import Doorward
from fastapi import Depends, FastAPI, Request
from fastapi.responses import HTMLResponse

app = FastAPI()
doorward = Doorward(app)


@app.get("/", response_class=HTMLResponse)
async def root(request: Request, person=Depends(doorward.protect(live=True))):
    shown = escape(f"{person.email} of {person.organization_name}")
    return f"<p>{shown}</p>{doorward.logout_form(request)}"
